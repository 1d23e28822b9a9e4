import { readdir, readFile } from 'node:fs/promises'
import { extname } from 'node:path'

const folder = new URL('../../../../console/dist/', import.meta.url)

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
}

interface ConsoleAsset {
  readonly type: string
  readonly bytes: Buffer
}

/** What `npm run build -w console` made: the pages, and the assets by their file names, which hold the hash of the content. */
export interface ConsoleBuild {
  readonly page: string
  /** The page of the frame that shows a document. */
  readonly documentPage: string
  /** The page of an onboarding link. */
  readonly onboardingPage: string
  readonly assets: ReadonlyMap<string, ConsoleAsset>
}

let read: Promise<ConsoleBuild | null> | undefined

/** The build, which is read once, and so compressed once. null when there is none. */
export function consoleBuild(): Promise<ConsoleBuild | null> {
  return (read ??= readConsoleBuild())
}

async function readConsoleBuild(): Promise<ConsoleBuild | null> {
  try {
    const page = await readFile(new URL('index.html', folder), 'utf8')
    const documentPage = await readFile(new URL('document.html', folder), 'utf8')
    const onboardingPage = await readFile(new URL('onboarding.html', folder), 'utf8')
    const names = await readdir(new URL('assets/', folder))
    const assets = names.map(async (name): Promise<[string, ConsoleAsset]> => {
      const type = types[extname(name)] ?? 'application/octet-stream'
      return [name, { type, bytes: await readFile(new URL(`assets/${name}`, folder)) }]
    })
    return { page, documentPage, onboardingPage, assets: new Map(await Promise.all(assets)) }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}
