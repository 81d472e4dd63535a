"use strict";

/*
 * `node clients.js ADDRESS GAMES`: the load generator, a process of its own.
 *
 * It sits down at so many games, with a socket for each seat, and says "ready". Then for every line that comes in, a
 * number of seconds, it plays for so long and answers with a line of JSON: how many moves, how long it took, and the
 * latency of each. The next move of a game is made when both its seats have seen the state after the last one.
 *
 * It speaks the protocol of boardgame.io's own client without that client's work: its share of the machine would be
 * taken from the server.
 */

const readline = require("node:readline");
const { io } = require("socket.io-client");

const SEATS = 2;
const DONE = 900; // Moves after which another game is taken, as on the other side.
const LATEST = 60_000; // Milliseconds that a state may take: then something hangs.

async function post(address, path, body) {
  const answer = await fetch(`http://${address}/games/cabbages/${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}

/** A seat at its socket. It remembers the last state, and tells the one who waits for it. */
class Seat {
  constructor(address, match, player, credentials) {
    Object.assign(this, { match, player, credentials, state: null, waiting: null });
    this.socket = io(`http://${address}/cabbages`, { transports: ["websocket"], forceNew: true });
    this.socket.on("connect", () => this.socket.emit("sync", match, player, credentials, SEATS));
    this.socket.on("sync", (_, { state }) => this.see(state));
    this.socket.on("update", (_, state) => this.see(state));
    this.socket.on("disconnect", (reason) => {
      if (reason !== "io client disconnect") throw new Error(`disconnected: ${reason}`);
    });
  }

  see(state) {
    this.state = state;
    if (this.waiting && state._stateID >= this.waiting.id) {
      clearTimeout(this.waiting.timer);
      this.waiting.resolve();
      this.waiting = null;
    }
  }

  /** Until it has seen this state, or a later one. */
  seen(id) {
    if (this.state && this.state._stateID >= id) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`state ${id} of ${this.match} has not come`)), LATEST);
      this.waiting = { id, resolve, timer };
    });
  }

  submit(type) {
    const payload = { type, args: [], playerID: this.player, credentials: this.credentials };
    this.socket.emit("update", { type: "MAKE_MOVE", payload }, this.state._stateID, this.match, this.player);
  }
}

async function sitDown(address) {
  const { matchID } = await post(address, "create", { numPlayers: SEATS });
  const seats = [];
  for (const [index, playerName] of ["Ann", "Ben"].entries()) {
    const playerID = String(index);
    const { playerCredentials } = await post(address, `${matchID}/join`, { playerID, playerName });
    seats.push(new Seat(address, matchID, playerID, playerCredentials));
  }
  await Promise.all(seats.map((seat) => seat.seen(0)));
  return { seats, made: 0 };
}

/** Harvest once each, then feed: such a game goes on, as on the other side. */
async function move(game) {
  const { ctx, _stateID } = game.seats[0].state;
  game.seats[ctx.currentPlayer].submit(game.made < SEATS ? "harvest" : "feed");
  await Promise.all(game.seats.map((seat) => seat.seen(_stateID + 1)));
  game.made += 1;
  const { G, ctx: after } = game.seats[1].state;
  const fed = G.feedings[0] + G.feedings[1];
  if (after.turn !== game.made + 1 || fed !== Math.max(0, game.made - SEATS)) throw new Error("a move was not made");
}

async function play(address, games, index, end, latencies) {
  while (performance.now() < end) {
    if (games[index].made >= DONE) {
      for (const seat of games[index].seats) seat.socket.disconnect();
      games[index] = await sitDown(address);
    }
    const began = performance.now();
    await move(games[index]);
    latencies.push((performance.now() - began) / 1000);
  }
}

async function main(address, count) {
  const games = [];
  for (let index = 0; index < count; index += 1) games.push(await sitDown(address));
  console.log("ready");
  for await (const line of readline.createInterface({ input: process.stdin })) {
    const [latencies, started] = [[], performance.now()];
    const end = started + Number(line) * 1000;
    await Promise.all(games.map((_, index) => play(address, games, index, end, latencies)));
    const seconds = (performance.now() - started) / 1000;
    console.log(JSON.stringify({ calls: latencies.length, seconds, latencies }));
  }
  process.exit(0);
}

main(process.argv[2], Number(process.argv[3]));
