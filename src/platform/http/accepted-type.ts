/** Which of the media types `Accept` names first; the first one when it names none of them. */
export function acceptedType<Type extends string>(accept: string | undefined, types: readonly [Type, ...Type[]]): Type {
  const named = (accept ?? '').split(',').map((one) => one.split(';', 1)[0]?.trim().toLowerCase())
  for (const name of named) {
    const type = types.find((one) => one === name)
    if (type !== undefined) return type
  }
  return types[0]
}
