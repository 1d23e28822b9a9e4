const millisecondsPerDay = 86_400_000

/** The days from one day to another, both as the API writes them. */
export function daysBetween(from: string, until: string): number {
  return (Date.parse(until) - Date.parse(from)) / millisecondsPerDay
}
