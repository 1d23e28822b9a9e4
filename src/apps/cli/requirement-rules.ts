import type { Ending } from './command-builder.ts'
import { CommandError } from './errors.ts'
import { parseObject, readInput } from './json-file.ts'
import { apiCommand } from './operation.ts'
import { say } from './language.ts'
import { printJson, printMessage } from './terminal.ts'

/** `vigencia requirement-rule load`. */
export const requirementLoadCommand = apiCommand({
  name: 'load',
  description: 'create or replace the rules of a file (operator)',
  examples: {
    'requirement-rule load examples/requirements-pt-BR.json': 'the examples are off: switch on what your carriers want',
  },
  parameters: { '<file>': 'JSON: `rules`, each the body of a PUT with its `rule-id`; `-` reads standard input' },
  api: 'operator',
  async run({ file, json }, client): Promise<Ending> {
    const { rules } = parseObject(file, await readInput(file))
    if (!Array.isArray(rules)) throw new CommandError('usage', say`${file} has no list of rules.`)
    const loaded: string[] = []
    for (const rule of rules as readonly { readonly 'rule-id': string }[]) {
      const { 'rule-id': id, ...body } = rule
      await client.sdk.requirementRules.put(id, body as Parameters<typeof client.sdk.requirementRules.put>[1])
      loaded.push(id)
    }
    if (json) printJson({ result: loaded })
    else printMessage(say`${loaded.length} rules are loaded.`)
    return 'ok'
  },
})
