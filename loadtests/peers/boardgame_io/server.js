"use strict";

/*
 * boardgame.io's server as it comes, in memory or in the flat files of a folder that is named, on a free port of the
 * loopback. It prints where it listens.
 */

process.env.NODE_ENV = "production"; // Before the library is there: in development it logs.

const { FlatFile, Server } = require("boardgame.io/server");

const { Cabbages } = require("./game");

async function main() {
  const [folder] = process.argv.slice(2);
  const db = folder && new FlatFile({ dir: folder });
  const server = Server({ games: [Cabbages], origins: [], ...(db && { db }) });
  // What it calls the port goes to listen() as it is, and this keeps it off the network.
  const { appServer } = await server.run({ port: { host: "127.0.0.1", port: 0 } });
  console.log(`127.0.0.1:${appServer.address().port}`);
}

main();
