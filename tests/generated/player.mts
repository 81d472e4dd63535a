// Plays a whole game of Cabbages by fetch: types come from the OpenAPI document alone, and nothing is asserted of them.
import type { components, operations } from "./lair.mjs";

type Schemas = components["schemas"];
type Name = keyof operations;
type Answer<N extends Name> = operations[N] extends { responses: { 200: { content: { "application/json": infer Found } } } } ? Found : never;
type Body<N extends Name> = operations[N] extends { requestBody: { content: { "application/json": infer Sent } } } ? Sent : undefined;

const [base = ""] = process.argv.slice(2);

class Refused extends Error {
  constructor(readonly status: Schemas["Status"]) {
    super(status.message);
  }
  get reason(): string {
    for (const detail of this.status.details) {
      if (detail["@type"] === "type.googleapis.com/google.rpc.ErrorInfo") return `${detail.domain} ${detail.reason}`;
    }
    return "none";
  }
  get rule(): string | undefined {
    for (const detail of this.status.details) {
      if (detail["@type"] === "type.googleapis.com/google.rpc.PreconditionFailure") return detail.violations[0]?.subject;
    }
    return undefined;
  }
}

async function call<N extends Name>(path: string, body: Body<N>, token = ""): Promise<Answer<N>> {
  const headers = { "content-type": "application/json", ...(token && { authorization: `Bearer ${token}` }) };
  const asked = body === undefined ? { headers } : { method: "POST", headers, body: JSON.stringify(body) };
  const answer = await fetch(`${base}${path}`, asked);
  if (!answer.ok) throw new Refused(await answer.json());
  return answer.json();
}

async function refusal(asked: Promise<unknown>): Promise<Refused> {
  try {
    await asked;
  } catch (error) {
    if (error instanceof Refused) return error;
    throw error;
  }
  throw new Error("it was not refused");
}

/** What a seat may know, with its legal moves. */
async function look(name: string, token: string): Promise<Schemas["session.Snapshot"]> {
  return (await call<"session_GetView">(`/v1/${name}/view`, undefined, token)).snapshot;
}

/** The cabbages and feedings of everybody. */
function table(view: Schemas["games.View"]): string {
  if (view["@type"] !== "type.googleapis.com/monsters.cabbages.v1.View") throw new Error(`a view of ${view["@type"]}`);
  return `${view.cabbages.join(" ")} / ${view.feedings.join(" ")}, ${view.cupDice} in the cup`;
}

/** How many dice an event rolled. */
function rolled(event: Schemas["games.Event"]): number {
  if (event["@type"] !== "type.googleapis.com/monsters.cabbages.v1.Event") return 0;
  if ("harvested" in event) return event.harvested.dice.length;
  return "monsterRoll" in event ? event.monsterRoll.dice.length : 0;
}

/** Every message of a watch, up to the last. */
async function* watch(name: string): AsyncGenerator<Schemas["session.WatchSessionResponse"]> {
  const answer = await fetch(`${base}/v1/${name}:watch?afterRevision=-1`);
  for (const line of (await answer.text()).split("\n")) {
    if (line.startsWith("data: ")) yield JSON.parse(line.slice("data: ".length));
  }
}

const created = await call<"session_CreateSession">("/v1/sessions", {
  game: "cabbages",
  seats: [{ name: "Ann" }, { name: "Ben", kind: "SEAT_KIND_HUMAN" }],
  options: { "@type": "type.googleapis.com/monsters.cabbages.v1.Options", firstSeat: 0, maxTurns: 60, cupMove: "CUP_MOVE_STAY" },
  limits: { turn: "600s" },
  allTokens: true,
});
const { name } = created.session;
const hasty = await refusal(call<"session_SubmitMove">(`/v1/${name}:submitMove`, { text: "harvest" }, created.seatTokens[1]));
console.log("refused:", hasty.reason, hasty.rule);

let standing = created.session.standing;
let [moves, dice] = [0, 0];
while (standing !== undefined && standing.outcome === undefined) {
  const token = created.seatTokens[standing.awaited[0] ?? 0];
  const now = await look(name, token ?? "");
  const legal = now.moves[moves % now.moves.length];
  if (legal === undefined) throw new Error("nothing can be played");
  const sent = { move: legal.move, requestId: crypto.randomUUID(), etag: now.etag };
  const { update } = await call<"session_SubmitMove">(`/v1/${name}:submitMove`, sent, token);
  for (const event of update.events) dice += rolled(event);
  if (update.view !== undefined) console.log(update.revision, legal.text, "->", table(update.view));
  standing = update.standing;
  moves += 1;
}
console.log("over:", standing?.outcome?.reason, standing?.outcome?.winners.join(" "));
const late = await refusal(call<"session_SubmitMove">(`/v1/${name}:submitMove`, { text: "harvest" }, created.seatTokens[0]));
console.log("refused:", late.reason);

let updates = 0;
for await (const message of watch(name)) {
  if ("update" in message) updates += message.update.events.length > 0 ? 1 : 0;
  if ("closing" in message) console.log("closed:", message.closing.reason);
}
const { steps } = await call<"session_RevealSession">(`/v1/${name}:reveal?pageSize=1000`, undefined);
console.log("played:", moves, updates - 1, steps.length - 1, dice > 0);
