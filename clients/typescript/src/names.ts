/** The players' names in the texts of games. */

/** A text of a game with names in the place of seats, which are written "seat 0" in it, and nothing else is. */
export function named(text: string, names: readonly string[]): string {
  return text.replaceAll(/\b[Ss]eat (\d+)\b/g, (seat, number) => names[Number(number)] || seat);
}
