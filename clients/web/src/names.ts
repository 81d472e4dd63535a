/** Names of people, each of which keeps its own direction and changes none of what stands around it. */

const [FIRST, LAST] = ["\u2068", "\u2069"];
const MOST_NAME = 64;

/** A name between the two marks that isolate it in any text (UAX #9: FSI and PDI), and by which `pieces` finds it. */
export function isolated(name: string): string {
  return name && FIRST + bare(name) + LAST;
}

/** A text in pieces: every second one is a name. */
export function pieces(text: string): readonly string[] {
  return text.split(/\u2068([^\u2069]*)\u2069/);
}

/** A text without these marks, as people write it. */
export function bare(text: string): string {
  return text.replaceAll(/[\u2068\u2069]/g, "");
}

/** Why a name is too long for the server, which counts code points where JavaScript counts halves of some; or "". */
export function lengthProblem(name: string): string {
  const length = [...name].length;
  return length > MOST_NAME ? `A name has at most ${MOST_NAME} characters, and this one has ${length}.` : "";
}
