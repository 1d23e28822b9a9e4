import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Demo, DemoClient } from './demo.ts'

/** The file with the URL and the clients of a running demo, for the command line. */
export function demoProfilePath(dataDir: string): string {
  return join(dataDir, 'demo-profile.json')
}

/**
 * Writes the URL and the clients of the demo to the data folder, readable to this user only.
 * @returns a function that removes the file, unless another process has replaced it.
 */
export function writeDemoProfile(dataDir: string, url: string, demo: Demo): () => void {
  const path = demoProfilePath(dataDir)
  const client = (demoClient: DemoClient | null) =>
    demoClient === null
      ? undefined
      : { url, 'client-id': demoClient.clientId, 'client-secret': demoClient.clientSecret }
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const text = replacePrivateFile(path, { partner: client(demo.partner), operator: client(demo.operator) })
  return () => {
    try {
      if (readFileSync(path, 'utf8') === text) rmSync(path)
    } catch {
      // Removed already.
    }
  }
}

/** Writes a JSON file, readable to this user only, atomically. @returns its text. */
export function replacePrivateFile(path: string, content: unknown): string {
  const text = `${JSON.stringify(content, null, 2)}\n`
  const draft = `${path}.${process.pid}`
  rmSync(draft, { force: true })
  writeFileSync(draft, text, { mode: 0o600, flag: 'wx' })
  renameSync(draft, path)
  return text
}
