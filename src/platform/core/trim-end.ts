/** A text without the given characters at its end, in linear time: `/x+$/` takes quadratic time on long runs of them. */
export function trimEnd(text: string, characters: string): string {
  let end = text.length
  while (end > 0 && characters.includes(text.charAt(end - 1))) end -= 1
  return text.slice(0, end)
}
