import type { Command } from 'commander'
import { command } from './command-builder.ts'
import { print, printJson } from './terminal.ts'

const shells = ['bash', 'zsh', 'fish'] as const

/** `vigencia completion`. */
export const completionCommand = command({
  name: 'completion',
  description: 'print a script that completes commands, options and their values in a shell',
  examples: {
    'completion bash': 'for ~/.bashrc: source <(vigencia completion bash)',
    'completion zsh': 'as _vigencia in a folder of $fpath',
    'completion fish': 'as ~/.config/fish/completions/vigencia.fish',
  },
  parameters: { '<shell>': { description: 'the shell', choices: shells } },
  run({ shell, json }, built) {
    const levels = levelsOf(built.parent ?? built, '')
    const script = { bash, zsh, fish }[shell ?? 'bash'](levels)
    if (json) printJson({ shell, script })
    else print(script)
  },
})

interface Word {
  readonly word: string
  readonly description: string
}

/** What may follow the words of a command. */
interface Level {
  /** The command without `vigencia`, a space before each word. */
  readonly path: string
  readonly words: readonly Word[]
  /** The values of an option, by the option. */
  readonly values: ReadonlyMap<string, readonly string[]>
}

function levelsOf(command: Command, path: string): Level[] {
  const choices = command.registeredArguments.flatMap((argument) => argument.argChoices ?? [])
  const options = command.options.map(({ long, description }) => ({ word: long ?? '', description }))
  const commands = command.commands.map((command) => ({ word: command.name(), description: command.description() }))
  const values = command.options.flatMap(({ long, argChoices }) =>
    argChoices === undefined || long === undefined || long === null ? [] : [[long, argChoices] as const],
  )
  const words = [...commands, ...choices.map((word) => ({ word, description: '' })), ...options]
  const below = command.commands.flatMap((command) => levelsOf(command, `${path} ${command.name()}`))
  return [{ path, words, values: new Map(values) }, ...below]
}

const paths = (levels: readonly Level[]) => levels.filter(({ path }) => path !== '').map(({ path }) => `'${path}'`)

/** Names of commands are words of letters and dashes: in single quotes they need no escapes. */
function bash(levels: readonly Level[]): string {
  const cases = levels.map(({ path, words }) => `    '${path}') words='${words.map(({ word }) => word).join(' ')}' ;;`)
  const values = levels.flatMap((level) =>
    [...level.values].map(([option, list]) => `    '${level.path} ${option}') words='${list.join(' ')}' ;;`),
  )
  return `# bash completion of vigencia, made by \`vigencia completion bash\`
_vigencia() {
  local current=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]} path='' words='' word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$path $word" in
      ${paths(levels).join('|')}) path="$path $word" ;;
    esac
  done
  case "$path" in
${cases.join('\n')}
  esac
  case "$path $before" in
${values.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _vigencia vigencia`
}

function zsh(levels: readonly Level[]): string {
  const item = ({ word, description }: Word) => quoted(`${word}:${description.replaceAll(':', '\\:')}`)
  const cases = levels.map(({ path, words }) => `    '${path}') items=(${words.map(item).join(' ')}) ;;`)
  const values = levels.flatMap((level) =>
    [...level.values].map(([option, list]) => `    '${level.path} ${option}') items=(${list.join(' ')}) ;;`),
  )
  return `#compdef vigencia
# zsh completion of vigencia, made by \`vigencia completion zsh\`
_vigencia() {
  local at='' word before=\${words[CURRENT-1]}
  local -a items
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "$at $word" in
      ${paths(levels).join('|')}) at="$at $word" ;;
    esac
  done
  case "$at" in
${cases.join('\n')}
  esac
  case "$at $before" in
${values.join('\n')}
  esac
  _describe vigencia items || _files
}
# Autoloaded from $fpath, the file is the body of the first call.
if [[ $funcstack[1] == _vigencia ]]; then _vigencia "$@"; else compdef _vigencia vigencia; fi`
}

function fish(levels: readonly Level[]): string {
  const lines = levels.flatMap(({ path, words, values }) =>
    words.map(({ word, description }) => {
      const condition = `-n ${quoted(`test (__vigencia_path) = "${path}"`)}`
      const text = description === '' ? '' : ` -d ${quoted(description)}`
      if (!word.startsWith('--')) return `complete -c vigencia ${condition} -a ${word}${text}`
      const list = values.get(word)
      const value = list === undefined ? '' : ` -x -a ${quoted(list.join(' '))}`
      return `complete -c vigencia ${condition} -l ${word.slice(2)}${value}${text}`
    }),
  )
  return `# fish completion of vigencia, made by \`vigencia completion fish\`
function __vigencia_path
  set -l at ''
  for word in (commandline -opc)[2..-1]
    switch "$at $word"
      case ${paths(levels).join(' ')}
        set at "$at $word"
    end
  end
  echo "$at"
end
${lines.join('\n')}`
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
