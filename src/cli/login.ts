import { readFileSync } from 'node:fs'
import { text as textOf } from 'node:stream/consumers'
import { type Command, Option } from 'commander'
import { type CommandOptions, jsonCommand } from './command-builder.ts'
import { trimEnd } from '../platform/trim-end.ts'
import { authenticate } from './api-client.ts'
import { CommandError } from './errors.ts'
import {
  type Credentials,
  type Kind,
  readProfiles,
  readProfileSettings,
  defaultProfile,
  writeProfiles,
} from './profiles.ts'
import { openPrompt, type Prompt } from './prompt.ts'
import { print, printJson, printTable, printMessage } from './terminal.ts'
import type { CommandContext } from './context.ts'

interface LoginOptions extends CommandOptions {
  readonly url?: string
  readonly clientId?: string
  readonly secretFile?: string
}

const profileOption = () => new Option('--profile <name>', 'the name of the profile').default(defaultProfile)

/** `vigencia login`, `logout` and `profiles`. */
export function loginCommands(context: CommandContext): Command[] {
  const login = jsonCommand(
    'login',
    'sign in to a service: tries the credentials and stores them for this user only; a partner and an operator may share a profile',
    [
      ['login', 'asks for the address, the client id and the secret, which is not shown'],
      [
        'login --profile acme --url https://benefits.example --client-id 0199… --secret-file secret.txt',
        'a second service, without prompts; the secret may also come from standard input',
      ],
    ],
  )
    .addOption(profileOption())
    .option('--url <url>', 'address of the service')
    .option('--client-id <id>', 'the client to sign in as')
    .option('--secret-file <file>', 'file that holds the secret')
    .action((options: LoginOptions) => signIn(context, options))
  const logout = jsonCommand('logout', 'delete a stored profile', [['logout --profile acme', 'removes its secrets']])
    .addOption(profileOption())
    .action((options: CommandOptions) => signOut(context, options))
  const profiles = jsonCommand('profiles', 'list the stored profiles, without secrets', [
    ['profiles', 'who is signed in where'],
  ]).action((options: CommandOptions) => listProfiles(context, options))
  return [login, logout, profiles]
}

async function signIn(context: CommandContext, options: LoginOptions): Promise<void> {
  const settings = readProfileSettings(context.environment)
  const name = options.profile ?? defaultProfile
  if (name === 'demo' || !/^[\w.-]{1,50}$/.test(name)) {
    throw new CommandError('usage', 'A profile has a name of letters, digits, dots and dashes, other than `demo`.')
  }
  const profiles = readProfiles(settings)
  const credentials = await readCredentials(context, options)
  const kind = kindOf(await authenticate(context, credentials))
  const profile: Record<string, Credentials> = { ...profiles[name], [kind]: credentials }
  const path = writeProfiles(settings, { ...profiles, [name]: profile })
  const { url, 'client-id': clientId } = credentials
  if (options.json) printJson(context, { profile: name, kind, url, 'client-id': clientId, file: path })
  else printMessage(context, `Signed in as ${kind} at ${url}; stored as profile ${name} in ${path}.`)
}

/** From the options, else from the terminal. */
async function readCredentials(context: CommandContext, options: LoginOptions): Promise<Credentials> {
  const prompt = openPrompt(context)
  try {
    const url = readUrl(context, options.url ?? (await prompt.ask('Address of the service', 'http://127.0.0.1:3000')))
    const clientId = options.clientId ?? (await prompt.ask('Client id', null))
    return { url, 'client-id': clientId, 'client-secret': await readSecret(context, prompt, options) }
  } finally {
    prompt.close()
  }
}

function readUrl(context: CommandContext, text: string): string {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.search !== '') {
    throw new CommandError('usage', `${text} is no address of a service.`, {
      next: 'Write it as https://benefits.example',
    })
  }
  if (url.protocol === 'http:' && !/^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname)) {
    printMessage(context, 'Without https the secret and personal data are sent in clear text.')
  }
  return trimEnd(url.href, '/')
}

async function readSecret(context: CommandContext, prompt: Prompt, options: LoginOptions): Promise<string> {
  let secret: string
  if (options.secretFile !== undefined) secret = readSecretFile(options.secretFile)
  else if (context.stdin.isTTY === true) secret = await prompt.ask('Client secret', null, { isHidden: true })
  else secret = await textOf(context.stdin)
  secret = secret.trim()
  if (secret === '')
    throw new CommandError('usage', 'No secret was given.', {
      next: 'Use --secret-file, or write it to standard input.',
    })
  return secret
}

function readSecretFile(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new CommandError('usage', `${path} cannot be read.`, { cause: error })
  }
}

/** The API of a token, from its audience. */
function kindOf(token: string): Kind {
  const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString() || '{}') as { aud?: unknown }
  return String(claims.aud).endsWith(':operator') ? 'operator' : 'partner'
}

function signOut(context: CommandContext, options: CommandOptions): void {
  const settings = readProfileSettings(context.environment)
  const name = options.profile ?? defaultProfile
  const profiles = readProfiles(settings)
  if (!Object.hasOwn(profiles, name))
    throw new CommandError('usage', `There is no profile ${name}.`, { next: 'vigencia profiles' })
  const { [name]: _removed, ...others } = profiles
  writeProfiles(settings, others)
  if (options.json) printJson(context, { profile: name, removed: true })
  else printMessage(context, `Profile ${name} is deleted. Its secrets stay valid until they are rotated.`)
}

function listProfiles(context: CommandContext, options: CommandOptions): void {
  const profiles = readProfiles(readProfileSettings(context.environment))
  const list = Object.entries(profiles).flatMap(([profile, kinds]) =>
    Object.entries(kinds).map(([kind, { url, 'client-id': clientId }]) => ({
      profile,
      kind,
      url,
      'client-id': clientId,
    })),
  )
  if (options.json) printJson(context, { result: list })
  else if (list.length === 0) print(context, 'None. Sign in: vigencia login')
  else
    printTable(
      context,
      ['PROFILE', 'KIND', 'URL', 'CLIENT-ID'],
      list.map((one) => [one.profile, one.kind, one.url, one['client-id']]),
    )
}
