/** The rules of any game, through the opaque form that all of them share: what is a game's own is bytes here. */

import type { DescMessage, DescMethodUnary, MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import { registry } from "./contract";
import {
  ApplyMoveRequestSchema,
  ApplyMoveResponseSchema,
  DescribeGameRequestSchema,
  DescribeGameResponseSchema,
  StartGameRequestSchema,
  StartGameResponseSchema,
} from "./gen/monsters/rules/v1/opaque_pb";
import type { GameDescription } from "./gen/monsters/rules/v1/rules_pb";
import { insist } from "./problems";
import { transport } from "./server";

/** A call of a game's rules. */
function method<I extends DescMessage, O extends DescMessage>(name: string, input: I, output: O) {
  return async (token: string, request: MessageInitShape<I>): Promise<MessageShape<O>> => {
    const service = registry.getService(`monsters.${token}.v1.RulesService`);
    const typed = service?.methods.find((found) => found.name === name);
    if (!typed) throw new Error(`this page is older than the game ${token}`);
    // The same bytes on the wire, read as another type: the contract holds every game to that.
    const opaque = { ...typed, input, output } as unknown as DescMethodUnary<I, O>;
    const call = () => transport.unary(opaque, undefined, undefined, undefined, request);
    return (await insist(call)).message;
  };
}

export const describeGame = method("DescribeGame", DescribeGameRequestSchema, DescribeGameResponseSchema);
export const startGame = method("StartGame", StartGameRequestSchema, StartGameResponseSchema);
export const applyMove = method("ApplyMove", ApplyMoveRequestSchema, ApplyMoveResponseSchema);

const described = new Map<string, GameDescription>();

/** What a game is. Throws ConnectError when its rules don't answer, Error when it is newer than this page. */
export async function describe(token: string): Promise<GameDescription> {
  const known = described.get(token);
  if (known) return known;
  const { game } = await describeGame(token, {});
  if (!game) throw new Error(`the rules of ${token} don't describe it`);
  described.set(token, game);
  return game;
}
