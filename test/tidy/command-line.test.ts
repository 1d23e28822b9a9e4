import { readFileSync } from 'node:fs'
import type { Command } from 'commander'
import { expect, test } from 'vitest'
import { commandLinePages } from '../../generate/command-line.ts'
import { sitePages } from '../../generate/pages.ts'
import { examplesOf } from '#apps/cli/command-builder.ts'
import { exitCodes } from '#apps/cli/errors.ts'
import { describedCommands } from '#apps/cli/openapi.ts'
import { buildProgram } from '#apps/cli/program.ts'
import { serviceCommands } from '#apps/cli/service-commands.ts'

const program = buildProgram(serviceCommands)
const openapi = readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8')
const operationIds = new Set([...openapi.matchAll(/"operationId": "(\w+)"/g)].map(([, id]) => id))

const leaves = (command: Command, path: string): [string, Command][] =>
  command.commands.length === 0
    ? [[path, command]]
    : [
        ...(examplesOf(command).length > 0 ? [[path, command] as [string, Command]] : []),
        ...command.commands.flatMap((one) => leaves(one, `${path} ${one.name()}`)),
      ]
const commands = leaves(program, 'vigencia')

test('every command has a section on a page of the command line, which its index names', () => {
  const pages = commandLinePages()
  const index = sitePages().get('reference/cli/index.md') ?? ''
  expect([...pages.keys()].filter((file) => !index.includes(`](${file})`))).toEqual([])
  const names = commands.map(([path]) => `\n## \`${path}`)
  expect(names.filter((name) => ![...pages.values()].some((text) => text.includes(name)))).toEqual([])
})

test('every command has an example with existing options, and a JSON output', () => {
  expect(commands.length).toBeGreaterThan(20)
  const problems = commands.flatMap(([path, command]) => {
    const examples = examplesOf(command)
    const known = new Set(command.options.flatMap((option) => [option.short, option.long]))
    const strange = examples.flatMap(({ line }) => {
      const [own = ''] = line.replaceAll(/"[^"]*"/g, '').split(' | ')
      const options = own.match(/(?<=\s)--[\w-]+/g) ?? []
      return line.startsWith(path) ? options.filter((option) => !known.has(option)) : [line]
    })
    if (examples.length === 0) strange.push('no example')
    if (path !== 'vigencia start' && !known.has('--json')) strange.push('no --json')
    return strange.map((problem) => `${path}: ${problem}`)
  })
  expect(problems).toEqual([])
})

test('exit codes are different but for what `roster sync` says with two of them, and 2 is that of wrong usage', () => {
  const { left, doubtful, ...others } = exitCodes
  const codes: number[] = Object.values(others).map(({ code }) => code)
  expect(new Set(codes).size).toBe(codes.length)
  expect(codes).toEqual(expect.arrayContaining([left.code, doubtful.code]))
  expect([exitCodes.ok.code, exitCodes.usage.code]).toEqual([0, 2])
})

test('x-cli names only what its operation has: parameters, properties of the body, operations', () => {
  const described = describedCommands()
  expect(described.length).toBeGreaterThan(60)
  const problems = described.flatMap(({ cli, id, inputs, returns }) => {
    const known = new Set(inputs.map(({ name }) => name))
    const { irreversible, message = '', result = {} } = cli
    const texts = [message, irreversible?.sentence ?? '', ...Object.values(result)].join(' ')
    const named = [
      ...(cli.arguments ?? []),
      ...Object.keys({ ...cli.options, ...cli.body }),
      ...[...texts.matchAll(/\{([\w-]+)\}/g)].map(([, name = '']) => name),
    ]
    const isTable = described.some((one) => one.cli.command === cli.command && one.cli.columns !== undefined)
    return [
      ...named.filter((name) => !known.has(name)).map((name) => `${id}: it has no ${name}`),
      ...(returns === 'list' && !isTable ? [`${id}: a list needs columns`] : []),
      ...(irreversible && !operationIds.has(irreversible.look) ? [`${id}: there is no ${irreversible.look}`] : []),
    ]
  })
  expect(problems).toEqual([])
})
