/* What programs read beside the pages: the Markdown of each page at its address with `.md`, `llms.txt` with the list of them, and the samples. */
import { execFileSync } from 'node:child_process'
import { copyFileSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { contentsOf, type Guide, type Language, pagesFolder, readGuides } from './navigation.ts'

const repository = fileURLToPath(new URL('../', import.meta.url))

/** @param base of the site, with a slash at its end. */
export function writePlainFiles(target: string, base: string): void {
  const guides = readGuides()
  for (const { path } of guides) {
    writeFile(`${target}guides/${path}`, withPageLinks(readFileSync(pagesFolder + path, 'utf8')))
  }
  writeFile(`${target}llms.txt`, llmsText(guides, base))
  const samples = globSync(['examples/*.sh', 'sdk/examples/**/*.{ts,py,java}'], { cwd: repository })
  for (const path of samples) {
    mkdirSync(dirname(`${target}guides/${path}`), { recursive: true })
    copyFileSync(repository + path, `${target}guides/${path}`)
  }
  execFileSync('tar', ['-czf', `${target}guides/examples.tgz`, '-C', repository, 'examples', 'sdk/examples'])
}

function writeFile(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

/** Links of the repository, where docs/ is a folder beside sdk/ and examples/, as those of the site, where its pages are beside them. */
function withPageLinks(markdown: string): string {
  return markdown.replaceAll(/\]\(((?:\.\.\/)*)\.\.\/(sdk|examples)\//g, ']($1$2/')
}

/** See https://llmstxt.org. */
function llmsText(guides: readonly Guide[], base: string): string {
  const lists = (['en', 'pt-BR'] as const).flatMap((language: Language) =>
    contentsOf(language, guides)
      .filter(({ text }) => text !== apartFromThis)
      .map(({ text, guides: some }) => {
        const lines = some.map(({ path, title }) => `- [${title}](${base}${path})`)
        return `## ${text}${language === 'en' ? '' : ' (pt-BR)'}\n\n${lines.join('\n')}\n`
      }),
  )
  return `# Vigencia

> Vigencia is a service that includes, excludes and corrects members in employee benefits in Brazil. Partners call its API under \`/v1\`, the broker's
> operators under \`/operator/v1\`. A partner needs an address, a client id and a secret: start with ${base}tutorial/partner.md.

- [/v1/openapi.json](/v1/openapi.json): the operations of partners (OpenAPI 3.1); [/openapi.json](/openapi.json) has all
- [vigencia-client.tgz](/sdk/vigencia-client.tgz): the SDK for TypeScript and JavaScript, for \`npm install\`
- [vigencia-cli.tgz](/sdk/vigencia-cli.tgz): the command line, for \`npm install --global\`
- [examples.tgz](${base}examples.tgz): the samples of the guides

${lists.join('\n')}`
}

/** Their number says nothing to a reader who looks for how to call the service. */
const apartFromThis = 'Decisions'
