import { invalidBody } from '#platform/core/errors.ts'

/** The 49,000 most common passwords, in lower case. Loaded when one is first set: it takes a tenth of a second. */
let common: Promise<ReadonlySet<string>> | null = null

const load = async (): Promise<ReadonlySet<string>> => {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  return new Set(dictionary['passwords-common'])
}

/** @throws ApiError 400 for one of the most common passwords, in whatever case. */
export async function refuseCommon(password: string): Promise<void> {
  const known = await (common ??= load())
  if (known.has(password.normalize('NFKC').toLowerCase()))
    throw invalidBody([{ field: 'password', code: 'too-common' }])
}
