/*
 * Three nights of a company of 5,000 people: the payroll program sends its whole list with the command line, HR confirms who left in the morning, the
 * carrier completes everything. Joiners, leavers, raises, marriages, a rehire, two corrections of a CPF, and a night with half of the file.
 * `node bench/roster-nights.ts`
 */
import { spawn } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { cpfAt } from '../test/data/people.ts'
import { call, makePartner, operator, runBench, signIn } from './bench.ts'

type Json = Record<string, unknown>
type Row = Readonly<Record<string, string>>

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url))
const health = 'Saúde Essencial Enfermaria'
const [primaries, spouses, children] = [3_400, 800, 800]
const given = ['Otávio', 'Lúcia', 'Igor', 'Sônia', 'Camila', 'Wagner', 'Beatriz', 'Davi', 'Paulo', 'Nair', 'Rafael']
const family = [
  'Ferraz',
  'Pires',
  'Duarte',
  'Lopes',
  'Campos',
  'Nogueira',
  'Quadros',
  'Tavares',
  'Monteiro',
  'Reis',
  'Leal',
]
const nameAt = (n: number) =>
  `${given[n % 11]} ${family[Math.floor(n / 11) % 11]} ${family[Math.floor(n / 121) % 11]} ${family[(n + 5) % 11]}`
const dayAt = (year: number, n: number) => new Date(Date.UTC(year, 0, 1 + (n % 365))).toISOString().slice(0, 10)

const employee = (n: number): Row => ({
  CPF: cpfAt(n),
  Nome: nameAt(n),
  'Nome da mãe': `Nair ${family[n % 11]} ${family[(n + 3) % 11]}`,
  'Data de nascimento': dayAt(1960 + (n % 40), n),
  Sexo: n % 2 === 0 ? 'M' : 'F',
  'Tipo de beneficiário': 'titular',
  Matrícula: `V-${n}`,
  'Centro de custo': String(4200 + (n % 5)),
  Salário: `${3000 + (n % 50) * 10},00`,
  'Data de admissão': '2020-03-02',
  Produto: health,
})

/** With another last name. */
const marriedName = (row: Row): Row => ({ ...row, Nome: String(row['Nome']).replace(/\S+$/, 'Brandão') })

/** A spouse or a child of an employee. */
const relative = (n: number, of: Row, kinship: 'cônjuge' | 'filho', more: Row = {}): Row => ({
  CPF: cpfAt(n),
  Nome: `${given[(n + 4) % 11]} ${String(of['Nome']).split(' ').slice(1).join(' ')}`,
  'Nome da mãe': 'Rita Duarte Reis',
  'Data de nascimento': dayAt(kinship === 'filho' ? 2015 : 1988, n),
  Sexo: n % 2 === 0 ? 'M' : 'F',
  'Tipo de beneficiário': 'dependente',
  'CPF do titular': String(of['CPF']),
  Parentesco: kinship,
  Produto: health,
  ...more,
})

const headings = [...Object.keys(employee(0)), 'CPF do titular', 'Parentesco']
const csvOf = (rows: readonly Row[]) =>
  `\uFEFF${[headings, ...rows.map((row) => headings.map((heading) => row[heading] ?? ''))].map((cells) => cells.join(';')).join('\r\n')}\r\n`

interface Outcome {
  readonly code: number | null
  readonly seconds: number
}

/** Runs a command as a person sees it. */
async function command(words: readonly string[], environment: Record<string, string>): Promise<Outcome> {
  const shown = words.map((word) => (/[ ,]/.test(word) ? `'${word}'` : word.split('/').at(-1)))
  console.log(`\n$ vigencia ${shown.join(' ')}`)
  const start = performance.now()
  const child = spawn(process.execPath, [main, ...words], { env: { ...process.env, ...environment } })
  let text = ''
  child.stdout.on('data', (part: Buffer) => (text += part.toString()))
  child.stderr.on('data', (part: Buffer) => (text += part.toString().replaceAll(/^\d+\/\d+ .*\n/gm, '')))
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  console.log(text.trimEnd())
  const seconds = (performance.now() - start) / 1_000
  console.log(`exit ${code}, ${seconds.toFixed(1)} s`)
  return { code, seconds }
}

await runBench(20, async (bench) => {
  const start = (day: string) => bench.service(bench.url, { VIGENCIA_BUSINESS_DATE: day })
  let service = await start('2026-12-01')
  const admin = () => signIn(service.url, operator.id, operator.secret)
  const partner = await makePartner(service.url, 1)
  const [taxId = ''] = partner.companyTaxIds
  const made = await call(service.url, 'POST', '/operator/v1/client', await admin(), {
    name: 'Folha noturna',
    'company-tax-ids': [taxId],
  })
  const credentials = () => ({
    VIGENCIA_URL: service.url,
    VIGENCIA_CLIENT_ID: String(made['client-id']),
    VIGENCIA_CLIENT_SECRET: String(made['client-secret']),
  })
  const hr = () => signIn(service.url, String(made['client-id']), String(made['client-secret']))

  // The company as the carrier has it.
  const staff = Array.from({ length: primaries }, (_, n) => employee(n))
  const families = [
    ...staff.slice(0, spouses).map((of, n) => relative(10_000 + n, of, 'cônjuge')),
    ...staff.slice(0, children).map((of, n) => relative(20_000 + n, of, 'filho')),
  ]
  const former = employee(5_000)
  const imported = (rows: readonly Row[], more: Row) =>
    `${[
      ['CNPJ da empresa', ...headings, 'Início da vigência', 'end-date'],
      ...rows.map((row) => [taxId, ...headings.map((heading) => row[heading] ?? ''), '2024-03-01', more['end'] ?? '']),
    ]
      .map((cells) => cells.join(';'))
      .join('\r\n')}\r\n`
  for (const [rows, more] of [
    [[...staff, ...families], {}],
    [[former], { end: '2026-08-31' }],
  ] as const) {
    const response = await fetch(`${service.url}/operator/v1/member/import`, {
      method: 'POST',
      headers: { ...(await admin()), 'content-type': 'text/csv' },
      body: imported(rows, more),
    })
    const body = (await response.json()) as Json
    if (!response.ok || Number(body['rejected']) > 0) throw new Error(JSON.stringify(body).slice(0, 500))
    console.log(`imported: ${String(body['accepted'])} benefits`)
  }

  const sync = async (file: string, rows: readonly Row[], text = csvOf(rows)) => {
    const path = join(bench.folder, file)
    await writeFile(path, text)
    const words = ['roster', 'sync', path, '--company-tax-id', taxId, '--states', 'people,dependents,products']
    const confirm = ['--confirm', 'inclusion,correction,company-data', '--start-option', 'on-inclusion-date']
    return command([...words, '--people-count', String(rows.length), ...confirm, '--yes'], credentials())
  }
  const openDraft = async () => {
    const { result } = (await call(
      service.url,
      'GET',
      `/v1/movement-draft?status=open&company-tax-id=${taxId}`,
      await hr(),
    )) as {
      result: Json[]
    }
    return result[0]
  }
  /** HR in the morning: who left, on which day and why, and the numbers of the people whose CPF was wrong. */
  const morning = async (lastDay: string) => {
    const draft = await openDraft()
    if (draft === undefined) return console.log('\nHR: nothing to confirm')
    const path = `/v1/movement-draft/${String(draft['draft-id'])}`
    const { result: items } = (await call(
      service.url,
      'GET',
      `${path}/item?status=proposed&items-per-page=500`,
      await hr(),
    )) as {
      result: Json[]
    }
    const body = {
      items: items.map(({ number }) => ({ number })),
      'exclusion-details': { 'end-date': lastDay, 'exclusion-reason': 'resignation' },
    }
    console.log(
      `\nHR: POST ${path.replace(/[0-9a-f-]{36}/, '…')}/confirm of ${items.map((one) => String(one['class'])).join(', ')}`,
    )
    await call(service.url, 'POST', `${path}/confirm`, await hr(), body)
  }
  /** The carrier completes whatever waits. */
  const carrier = async () => {
    let completed = 0
    for (;;) {
      const { result: busy } = (await call(service.url, 'GET', '/v1/request?status=processing', await hr())) as {
        result: Json[]
      }
      const path = '/operator/v1/enrollment?status=created&items-per-page=500'
      const { result } = (await call(service.url, 'GET', path, await admin())) as { result: Json[] }
      const draft = await openDraft()
      if (result.length === 0 && busy.length === 0 && draft?.['status'] !== 'requesting') break
      const ids = result.map((one) => one['id'])
      if (ids.length === 0) continue
      await call(service.url, 'POST', '/operator/v1/enrollment/transition', await admin(), {
        status: 'completed',
        'enrollment-ids': ids,
      })
      completed += ids.length
    }
    console.log(`carrier: ${completed} movements completed`)
  }
  const nextDay = async (day: string) => {
    await service.stop()
    service = await start(day)
  }

  console.log(
    '\n== Night of 1 December: 12 joined with 4 relatives, 9 left, 120 raises, 6 marriages, a rehire, 2 CPFs corrected',
  )
  const joined = Array.from({ length: 12 }, (_, n): Row => ({
    ...employee(6_000 + n),
    'Data de admissão': '2026-12-01',
  }))
  const first = staff.flatMap((row, n): Row[] => {
    if (n >= 1_000 && n < 1_009) return []
    if (n >= 2_000 && n < 2_120) return [{ ...row, Salário: `${4000 + n},00` }]
    if (n >= 3_000 && n < 3_006) return [marriedName(row)]
    if (n === 3_100 || n === 3_101) return [{ ...row, CPF: cpfAt(30_000 + n) }]
    return [row]
  })
  const married = staff.slice(3_000, 3_006).map((of, n) => relative(31_000 + n, of, 'cônjuge'))
  const firstList: Row[] = [
    ...first,
    ...families,
    ...married,
    ...joined,
    ...joined.slice(0, 4).map((of, n) => relative(32_000 + n, of, 'filho')),
    { ...former, 'Data de admissão': '2026-12-01' },
  ]
  await sync('folha-01.csv', firstList)
  await morning('2026-12-01')
  await carrier()

  console.log('\n== Night of 2 December: half of the file')
  await nextDay('2026-12-02')
  const whole = csvOf(firstList)
  await sync('folha-02.csv', firstList, whole.slice(0, whole.length / 2))

  console.log('\n== Night of 3 December: the whole list; 5 joined, 3 left, a marriage')
  await nextDay('2026-12-03')
  const later = Array.from({ length: 5 }, (_, n): Row => ({ ...employee(6_100 + n), 'Data de admissão': '2026-12-03' }))
  const thirdList = [
    ...firstList.flatMap((row): Row[] => {
      const number = Number(row['Matrícula']?.slice(2))
      if (number >= 1_500 && number < 1_503) return []
      return number === 3_050 ? [marriedName(row)] : [row]
    }),
    ...later,
  ]
  await sync('folha-03.csv', thirdList)
  await morning('2026-12-03')
  await carrier()
  console.log('\n== The list of 3 December again')
  await sync('folha-03.csv', thirdList)
})
