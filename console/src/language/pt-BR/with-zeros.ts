/** Portuguese counts 0 as one, but "0 linhas" is what people write: 0 has the plural where it has no text of its own. */
export function withZeros<Texts extends object>(texts: Texts): Texts {
  const entries = Object.entries(texts).flatMap(([key, text]: [string, unknown]): [string, unknown][] => {
    if (typeof text === 'object' && text !== null) return [[key, withZeros(text)]]
    const zero = key.replace(/_other$/, '_zero')
    return zero === key || zero in texts
      ? [[key, text]]
      : [
          [key, text],
          [zero, text],
        ]
  })
  return Object.fromEntries(entries) as Texts
}
