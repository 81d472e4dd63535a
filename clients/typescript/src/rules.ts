/** The rules of any game, through the opaque form that all of them share: what is a game's own is bytes here. */

import type { DescMessage, DescMethodUnary, MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import type { Transport } from "@connectrpc/connect";
import { registry } from "./contract.js";
import { UnknownGame } from "./errors.js";
import {
  ApplyMoveRequestSchema,
  ApplyMoveResponseSchema,
  DescribeGameRequestSchema,
  DescribeGameResponseSchema,
  StartGameRequestSchema,
  StartGameResponseSchema,
} from "./gen/monsters/rules/v1/opaque_pb.js";
import type { GameDescription } from "./gen/monsters/rules/v1/rules_pb.js";
import { insist } from "./patience.js";

/** Every method throws LairError: UnknownGame where the game is newer than this package. */
export class Rules {
  private readonly described = new Map<string, GameDescription>();

  constructor(private readonly transport: Transport) {}

  /** What a game is: its options, rules and ends in words. It is asked once. */
  async describe(token: string): Promise<GameDescription> {
    const known = this.described.get(token);
    if (known) return known;
    const { game } = await this.call("DescribeGame", DescribeGameRequestSchema, DescribeGameResponseSchema, token, {});
    if (!game) throw new UnknownGame(token);
    this.described.set(token, game);
    return game;
  }

  /** Begins a game, of which no server keeps anything. */
  startGame(token: string, request: MessageInitShape<typeof StartGameRequestSchema>) {
    return this.call("StartGame", StartGameRequestSchema, StartGameResponseSchema, token, request);
  }

  /** What a move leads to. */
  applyMove(token: string, request: MessageInitShape<typeof ApplyMoveRequestSchema>) {
    return this.call("ApplyMove", ApplyMoveRequestSchema, ApplyMoveResponseSchema, token, request);
  }

  private async call<I extends DescMessage, O extends DescMessage>(
    name: string,
    input: I,
    output: O,
    token: string,
    request: MessageInitShape<I>,
  ): Promise<MessageShape<O>> {
    const service = registry.getService(`monsters.${token}.v1.RulesService`);
    const typed = service?.methods.find((found) => found.name === name);
    if (!typed) throw new UnknownGame(token);
    // The same bytes on the wire, read as another type: the contract holds every game to that.
    const opaque = { ...typed, input, output } as unknown as DescMethodUnary<I, O>;
    const call = () => this.transport.unary(opaque, undefined, undefined, undefined, request);
    return (await insist(call)).message;
  }
}
