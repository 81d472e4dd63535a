"use strict";

/*
 * Two moves of Cabbages, harvest and feed, in boardgame.io's terms, with the turn of the Monster Cup and the end that
 * its dice bring: what a move costs here must not be less than the game asks for. The options are the usual ones, and
 * there is no limit of turns.
 */

const { INVALID_MOVE } = require("boardgame.io/core");

const HARVEST_DICE = 2;
const TRIPLES = 3;
const HUNGRY = 25;

const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);
const facesOf = (dice) => [1, 2, 3, 4, 5, 6].map((face) => dice.filter((die) => die === face).length);
const isEnding = (dice) => sum(dice) >= HUNGRY || Math.max(...facesOf(dice)) >= TRIPLES;
const rollCup = (G, random) => (G.cupDice > 0 ? random.D6(G.cupDice) : []);

function setup({ ctx, random }) {
  const first = random.Die(ctx.numPlayers) - 1;
  return {
    first,
    cabbages: Array(ctx.numPlayers).fill(0),
    feedings: Array(ctx.numPlayers).fill(0),
    cupDice: 0,
    // The cup stands on the left of this seat: between it and the next.
    cupGap: (first + ctx.numPlayers - 1) % ctx.numPlayers,
    lastRoll: [],
  };
}

function harvest({ G, ctx, playerID, random }) {
  const dice = random.D6(HARVEST_DICE);
  G.cabbages[playerID] += sum(dice);
  G.lastRoll = [{ cause: "harvest", dice }];
  takeCupTurn(G, ctx, random);
}

function feed({ G, ctx, playerID, random }) {
  if (G.cupDice === 0) return INVALID_MOVE;
  G.cupDice -= 1;
  G.feedings[playerID] += 1;
  G.lastRoll = [{ cause: "feed", dice: rollCup(G, random) }];
  if (!isEnding(G.lastRoll[0].dice)) takeCupTurn(G, ctx, random);
}

/** The cup's turn, where it stands on the left of the seat that has moved. */
function takeCupTurn(G, ctx, random) {
  if (G.cupGap !== ctx.playOrderPos) return;
  G.cupDice += 1;
  const dice = rollCup(G, random);
  G.lastRoll.push({ cause: "cup", dice });
  if (!isEnding(dice)) G.cupGap = (G.cupGap + ctx.numPlayers - 1) % ctx.numPlayers;
}

/** The outcome, once the Monster Dice say that the game is over. A harvest's two dice never do. */
function endIf({ G }) {
  const last = G.lastRoll.at(-1);
  if (last === undefined || last.cause === "harvest" || !isEnding(last.dice)) return undefined;
  if (sum(last.dice) >= HUNGRY) return { reason: "eaten", winners: [] };
  const counts = facesOf(last.dice);
  // Of two sets the bigger one counts, then that of the higher face.
  const row = Math.ceil((counts.lastIndexOf(Math.max(...counts)) + 1) / 2);
  const results = G.cabbages.map((cabbages, seat) => compared(row, cabbages, G.feedings[seat]));
  const best = results.reduce((one, other) => (isBetter(other, one) ? other : one));
  const winners = results.flatMap((result, seat) => (isBetter(best, result) ? [] : [seat]));
  return { reason: ["row_1_2", "row_3_4", "row_5_6"][row - 1], winners };
}

/** What a row compares, and its tie-break. */
function compared(row, cabbages, feedings) {
  if (row === 1) return [cabbages, -feedings];
  return row === 2 ? [feedings, -cabbages] : [cabbages * feedings, 0];
}

const isBetter = ([one, oneTie], [other, otherTie]) => one > other || (one === other && oneTie > otherTie);

exports.Cabbages = {
  name: "cabbages",
  setup,
  moves: { harvest, feed },
  turn: {
    minMoves: 1,
    maxMoves: 1,
    order: { first: ({ G }) => G.first, next: ({ ctx }) => (ctx.playOrderPos + 1) % ctx.numPlayers },
  },
  endIf,
  // The peer takes nothing back either; without this it would keep and send every turn's states.
  disableUndo: true,
};
