import { command, type Values } from './command-builder.ts'
import { CommandError } from './errors.ts'
import { readInput } from './json-file.ts'
import { type Credentials, defaultProfile, readProfiles, serviceUrl, writeProfiles } from './profiles.ts'
import { openPrompt, type Prompt } from './prompt.ts'
import { deleteToken } from './token-cache.ts'
import { say } from './language.ts'
import { print, printItems, printJson, printMessage } from './terminal.ts'

const profile = { '--profile <name>': { description: 'the name of the profile', default: defaultProfile } } as const

const loginParameters = {
  ...profile,
  '--url <url>': 'address of the service',
  '--client-id <id>': 'the client to sign in as',
  '--secret-file <file>': 'file that holds the secret',
} as const

/** `vigencia login`, `logout` and `profiles`. */
export const loginCommands = [
  command({
    name: 'login',
    description:
      'sign in to a service: tries the credentials and stores them for this user only; a partner and an operator may share a profile',
    examples: {
      login: 'asks for the address, the client id and the secret, which is not shown',
      'login --profile acme --url https://benefits.example --client-id 0199… --secret-file secret.txt':
        'a second service, without prompts; the secret may also come from standard input',
    },
    parameters: loginParameters,
    run: signIn,
  }),
  command({
    name: 'logout',
    description: 'delete a stored profile',
    examples: { 'logout --profile acme': 'removes its secrets' },
    parameters: profile,
    run({ profile: name, json }) {
      const profiles = readProfiles()
      if (!Object.hasOwn(profiles, name))
        throw new CommandError('usage', say`There is no profile ${name}.`, 'vigencia profiles')
      const { [name]: removed = {}, ...others } = profiles
      writeProfiles(others)
      for (const credentials of Object.values(removed)) deleteToken(credentials)
      if (json) printJson({ profile: name, removed: true })
      else printMessage(say`Profile ${name} is deleted. Its secrets stay valid until they are rotated.`)
    },
  }),
  command({
    name: 'profiles',
    description: 'list the stored profiles, without secrets',
    examples: { profiles: 'who is signed in where' },
    run({ json }) {
      const list = Object.entries(readProfiles()).flatMap(([name, clients]) =>
        Object.entries(clients).map(([kind, { url, 'client-id': id }]) => ({
          profile: name,
          kind,
          url,
          'client-id': id,
        })),
      )
      if (list.length === 0 && !json) print(say`None. Sign in: vigencia login`)
      else printItems(list, { PROFILE: 'profile', KIND: 'kind', URL: 'url', 'CLIENT-ID': 'client-id' }, json)
    },
  }),
]

type LoginValues = Values<typeof loginParameters>

async function signIn(values: LoginValues): Promise<void> {
  const { profile: name, json } = values
  if (name === 'demo' || !/^[\w.-]{1,50}$/.test(name)) {
    throw new CommandError('usage', say`A profile has a name of letters, digits, dots and dashes, other than \`demo\`.`)
  }
  const profiles = readProfiles()
  const credentials = await readCredentials(values)
  const { findApi } = await import('./api-client.ts')
  const kind = await findApi(credentials)
  const file = writeProfiles({ ...profiles, [name]: { ...profiles[name], [kind]: credentials } })
  const { url, 'client-id': clientId } = credentials
  if (json) printJson({ profile: name, kind, url, 'client-id': clientId, file })
  else printMessage(say`Signed in as ${kind} at ${url}; stored as profile ${name} in ${file}.`)
}

/** From the options, else from the terminal. */
async function readCredentials(values: LoginValues): Promise<Credentials> {
  const prompt = openPrompt()
  try {
    const url = readUrl(values.url ?? (await prompt.ask(say`Address of the service`, 'http://127.0.0.1:3000')))
    const clientId = values.clientId ?? (await prompt.ask(say`Client id`, null))
    return { url, 'client-id': clientId, 'client-secret': await readSecret(prompt, values.secretFile) }
  } finally {
    prompt.close()
  }
}

function readUrl(text: string): string {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.search !== '') {
    throw new CommandError('usage', say`${text} is no address of a service.`, say`Write it as https://benefits.example`)
  }
  if (url.protocol === 'http:' && !/^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname)) {
    printMessage(say`Without https the secret and personal data are sent in clear text.`)
  }
  return serviceUrl(url.href)
}

async function readSecret(prompt: Prompt, file: string | undefined): Promise<string> {
  const isAsked = file === undefined && process.stdin.isTTY
  const given = isAsked ? await prompt.ask(say`Client secret`, null, { isHidden: true }) : await readInput(file ?? '-')
  const secret = given.toString().trim()
  if (secret !== '') return secret
  throw new CommandError('usage', say`No secret was given.`, say`Use --secret-file, or write it to standard input.`)
}
