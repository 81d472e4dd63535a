// What the types forbid: each line below a directive has to be an error, or the directive is one.
import type { components } from "./lair.mjs";

type Schemas = components["schemas"];
declare const update: Schemas["session.Update"];
declare const event: Schemas["cabbages.Event"];
declare const view: Schemas["games.View"];

// @ts-expect-error there is no such field
void update.revison;
// @ts-expect-error a number of 64 bits is a string
export const revision: number = update.revision;
// @ts-expect-error it may be absent
export const seat: number = update.seat;
// @ts-expect-error another event has no dice
void event.harvested.dice;
// @ts-expect-error another game has no cabbages
void view.cabbages;
// @ts-expect-error a move and its text exclude each other
export const both: Schemas["session.SubmitMoveRequest"] = { move: { "@type": "type.googleapis.com/monsters.cabbages.v1.Move", feed: {} }, text: 1 };
// @ts-expect-error a move is one thing
export const none: Schemas["cabbages.Move"] = {};
// @ts-expect-error there is no such kind of seat
export const kind: Schemas["session.SeatKind"] = "BOT";
