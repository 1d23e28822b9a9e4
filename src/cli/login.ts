import { readFileSync } from 'node:fs'
import { text as textOf } from 'node:stream/consumers'
import { type Command, Option } from 'commander'
import { type Asked, answering } from './command-builder.ts'
import { trimEnd } from '../platform/trim-end.ts'
import { authenticate } from './api-client.ts'
import { CommandError } from './errors.ts'
import { type Credentials, type Kind, readProfiles, usualProfile, writeProfiles } from './profiles.ts'
import { openQuestions, type Questions } from './prompt.ts'
import { readCommandSettings } from './settings.ts'
import { print, printJson, printTable, tell } from './terminal.ts'
import type { World } from './context.ts'

interface LoginAsked extends Asked {
  readonly url?: string
  readonly clientId?: string
  readonly secretFile?: string
}

const naming = () => new Option('--profile <name>', 'the name to keep it under').default(usualProfile)

/** `vigencia login`, `logout` and `profiles`. */
export function loginCommands(world: World): Command[] {
  const login = answering(
    'login',
    'sign in to a service: tries the credentials and stores them for this user only; a partner and an operator may share a profile',
    [
      ['login', 'asks for the address, the client id and the secret, which is not shown'],
      [
        'login --profile acme --url https://benefits.example --client-id 0199… --secret-file secret.txt',
        'a second service, without questions; the secret may also come from standard input',
      ],
    ],
  )
    .addOption(naming())
    .option('--url <url>', 'address of the service')
    .option('--client-id <id>', 'the client to sign in as')
    .option('--secret-file <file>', 'file that holds the secret')
    .action((asked: LoginAsked) => signIn(world, asked))
  const logout = answering('logout', 'forget a stored profile', [['logout --profile acme', 'removes its secrets']])
    .addOption(naming())
    .action((asked: Asked) => signOut(world, asked))
  const profiles = answering('profiles', 'list the stored profiles, without secrets', [
    ['profiles', 'who is signed in where'],
  ]).action((asked: Asked) => listProfiles(world, asked))
  return [login, logout, profiles]
}

async function signIn(world: World, asked: LoginAsked): Promise<void> {
  const settings = readCommandSettings(world.environment)
  const name = asked.profile ?? usualProfile
  if (name === 'demo' || !/^[\w.-]{1,50}$/.test(name)) {
    throw new CommandError('usage', 'A profile has a name of letters, digits, dots and dashes, other than `demo`.')
  }
  const profiles = readProfiles(settings)
  const credentials = await readCredentials(world, asked)
  const kind = kindOf(await authenticate(world, credentials))
  const kept: Record<string, Credentials> = { ...profiles[name], [kind]: credentials }
  const path = writeProfiles(settings, { ...profiles, [name]: kept })
  const { url, 'client-id': clientId } = credentials
  if (asked.json) printJson(world, { profile: name, kind, url, 'client-id': clientId, file: path })
  else tell(world, `Signed in as ${kind} at ${url}; kept as profile ${name} in ${path}.`)
}

/** From the options; what they leave open is asked for. */
async function readCredentials(world: World, asked: LoginAsked): Promise<Credentials> {
  const questions = openQuestions(world)
  try {
    const url = readUrl(world, asked.url ?? (await questions.ask('Address of the service', 'http://127.0.0.1:3000')))
    const clientId = asked.clientId ?? (await questions.ask('Client id', null))
    return { url, 'client-id': clientId, 'client-secret': await readSecret(world, questions, asked) }
  } finally {
    questions.close()
  }
}

function readUrl(world: World, text: string): string {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.search !== '') {
    throw new CommandError('usage', `${text} is no address of a service.`, {
      next: 'Write it as https://benefits.example',
    })
  }
  if (url.protocol === 'http:' && !/^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname)) {
    tell(world, 'Without https the secret and the people travel readable to everyone on the way.')
  }
  return trimEnd(url.href, '/')
}

async function readSecret(world: World, questions: Questions, asked: LoginAsked): Promise<string> {
  let secret: string
  if (asked.secretFile !== undefined) secret = readSecretFile(asked.secretFile)
  else if (world.stdin.isTTY === true) secret = await questions.ask('Client secret', null, { isHidden: true })
  else secret = await textOf(world.stdin)
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

/** The token itself says which door it opens. */
function kindOf(token: string): Kind {
  const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString() || '{}') as { aud?: unknown }
  return String(claims.aud).endsWith(':operator') ? 'operator' : 'partner'
}

function signOut(world: World, asked: Asked): void {
  const settings = readCommandSettings(world.environment)
  const name = asked.profile ?? usualProfile
  const profiles = readProfiles(settings)
  if (!Object.hasOwn(profiles, name))
    throw new CommandError('usage', `There is no profile ${name}.`, { next: 'vigencia profiles' })
  const { [name]: _gone, ...others } = profiles
  writeProfiles(settings, others)
  if (asked.json) printJson(world, { profile: name, removed: true })
  else tell(world, `Profile ${name} is forgotten. Its secrets live on until they are rotated.`)
}

function listProfiles(world: World, asked: Asked): void {
  const profiles = readProfiles(readCommandSettings(world.environment))
  const list = Object.entries(profiles).flatMap(([profile, kinds]) =>
    Object.entries(kinds).map(([kind, { url, 'client-id': clientId }]) => ({
      profile,
      kind,
      url,
      'client-id': clientId,
    })),
  )
  if (asked.json) printJson(world, { result: list })
  else if (list.length === 0) print(world, 'None. Sign in: vigencia login')
  else
    printTable(
      world,
      ['PROFILE', 'KIND', 'URL', 'CLIENT-ID'],
      list.map((one) => [one.profile, one.kind, one.url, one['client-id']]),
    )
}
