import { describe, expect, test } from 'vitest'
import type { Frame, Page } from 'playwright-core'
import { writePdf } from '#platform/pdf/write.ts'
import { dependent, expectOk, health, type Json, premium, primary, useCompany } from '../world/test-app.ts'
import { upload } from '../world/upload.ts'
import { untranslated, useConsole } from './console.ts'

const { testApp, open } = useConsole()
const { company, partner } = useCompany(testApp)

/** The movements of the members, in their order. */
async function included(...members: Json[]): Promise<string[]> {
  const { 'status-by-tax-id': parts } = await testApp.include(partner, company, members)
  return members.map((member) => parts[member['tax-id']][health]['enrollment-id'])
}

async function withDocuments(...files: Buffer[]): Promise<Json> {
  const ids: string[] = []
  for (const file of files) ids.push(await upload(partner, file))
  return primary({ documents: ids.map((id) => ({ 'document-id': id, 'document-type': 'marriage-certificate' })) })
}

const transition = (id: string, body: Json) =>
  testApp.operator.post(`/operator/v1/enrollment/${id}/transition`, body).then(expectOk)

/** The cells of a row, and what assistive technology reads in them. */
async function cellsOf(page: Page, name: RegExp): Promise<string[]> {
  const text = await page.getByRole('row', { name }).innerText()
  // Amounts have a no-break space.
  return text.replaceAll('\u00a0', ' ').split(/\s*\t\s*|\n/)
}

async function frameOf(page: Page): Promise<Frame> {
  const frame = await (await page.locator('iframe').elementHandle())?.contentFrame()
  if (frame == null) throw new Error('the page has no frame')
  return frame
}

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

/** A page as a scanner makes it: one image, in black, compressed as a fax (ITU-T T.6). */
const scan = Buffer.from(`%PDF-1.7
1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj
2 0 obj << /Type /Pages /Kids [3 0 R] /Count 1 >> endobj
3 0 obj << /Type /Page /Parent 2 0 R /MediaBox [0 0 100 100] /Contents 4 0 R /Resources << /XObject << /I 5 0 R >> >> >> endobj
4 0 obj << /Length 29 >> stream
q 100 0 0 100 0 0 cm /I Do Q 
endstream endobj
5 0 obj << /Type /XObject /Subtype /Image /Width 8 /Height 8 /ColorSpace /DeviceGray /BitsPerComponent 1 /Length 9
/Filter [/ASCIIHexDecode /CCITTFaxDecode] /DecodeParms [null << /K -1 /Columns 8 /Rows 8 /BlackIs1 true >>] >> stream
ff001001>
endstream endobj
trailer << /Root 1 0 R >>
%%EOF
`)

describe('the page of a movement', () => {
  test('shows everything to decide by; a PDF and an image are in the frame; after a decision it opens the next one', async () => {
    const pdf = await writePdf('Certidão de casamento', ['Helena Brandão Souza'])
    const mother = { ...(await withDocuments(pdf, png, scan)), salary: 523_000 }
    const child = dependent(mother['tax-id'])
    const [id = '', childId = ''] = await included(mother, child)
    const { page, expectSound, clientId } = await open(`/queue?company-tax-id=${company.taxId}`, { role: 'analyst' })
    const { url } = testApp
    await page.getByRole('link', { name: mother['name'] }).click()
    await page.waitForURL(`${url}/console/queue/${id}?company-tax-id=${company.taxId}&index=0`)
    await page.getByRole('heading', { name: `Inclusão: ${mother['name']}` }).waitFor()

    // An inclusion is compared with nothing: one card, from which each value is copied, or all of them.
    const card = page.getByRole('region', { name: 'Dados da pessoa' })
    const facts = (await card.locator('dl > div').allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' ').trim())
    expect(facts).toContain('Salário R$ 5.230,00')
    expect(facts.find((text) => text.startsWith('Data de nascimento'))).toMatch(/\d\d\/\d\d\/\d{4} · \d+ anos$/)
    await expect.poll(() => page.getByText('O que foi pedido e o que consta hoje').count()).toBe(0)
    await expect.poll(() => card.innerText()).not.toContain('—')
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await card.getByRole('button', { name: 'Copiar Salário' }).click()
    const copied = () => page.evaluate<string>('navigator.clipboard.readText()')
    await expect.poll(copied).toBe('5.230,00')
    await card.getByRole('button', { name: 'Copiar tudo' }).click()
    await expect
      .poll(async () => (await copied()).split('\n'))
      .toEqual(expect.arrayContaining([`Nome: ${mother['name']}`, 'Salário: 5.230,00']))
    await page.getByRole('row', { name: /Davi Brandão Souza .*Filho\(a\).*Pendente/ }).waitFor()

    const frame = await frameOf(page)
    const drawn = frame.getByRole('img', { name: 'Página 1 de 1' }).locator('canvas')
    await page.locator('iframe').scrollIntoViewIfNeeded()
    await drawn.waitFor()
    const widthOf = () => frame.evaluate<number>(`document.querySelector('canvas').width`)
    const width = await widthOf()
    await page.getByRole('button', { name: 'Ampliar' }).click()
    await expect.poll(widthOf, { timeout: 30_000 }).toBeGreaterThan(width)
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Baixar o original' }).click()
    expect((await download).suggestedFilename()).toMatch(/\.pdf$/)
    await page.getByRole('button', { name: /\.png/ }).click()
    const second = await frameOf(page)
    await second.getByRole('img', { name: /\.png/ }).waitFor()
    await expect.poll(() => second.evaluate(`document.querySelector('img').naturalWidth`)).toBe(1)

    await page.getByRole('button', { name: /\.pdf/ }).last().click()
    const third = await frameOf(page)
    await third.locator('canvas').waitFor()
    const pixel = `document.querySelector('canvas').getContext('2d').getImageData(9, 9, 1, 1).data.join()`
    await expect.poll(() => third.evaluate(pixel)).toBe('0,0,0,255')

    await page.getByRole('button', { name: 'Atribuir a mim' }).click()
    await page.getByText('Atribuída a analyst').waitFor()
    await page.getByLabel('Nova anotação').fill('Conferido com a empresa <b>')
    await page.keyboard.press('Control+Enter')
    await page.getByText('Conferido com a empresa <b>').waitFor()
    const assigned = async () => {
      const shown = expectOk(await testApp.operator.get(`/operator/v1/enrollment/${id}`)).body.result
      return [shown.assignee, shown['notes-count']]
    }
    await expect.poll(assigned).toEqual([clientId, 1])
    await expectSound()

    await page.getByRole('heading', { level: 1 }).focus()
    await page.keyboard.press('a')
    await page.getByLabel('Número da carteirinha').fill('0099 1234')
    await page.keyboard.press('Enter')
    await page.waitForURL(`${url}/console/queue/${childId}?**`)
    await page.getByRole('heading', { name: 'Inclusão: Davi Brandão Souza' }).waitFor()
    await page.getByRole('row', { name: /Helena Brandão Souza.*Ativo.*0099 1234/ }).waitFor()
    const { history } = expectOk(await testApp.operator.get(`/operator/v1/enrollment/${id}`)).body.result
    expect(history.at(-1)).toMatchObject({ status: 'completed', 'actor-id': clientId })
  })

  test('a start more than two years from today is asked about, and taken when it is confirmed', async () => {
    const [id = ''] = await included(primary())
    const { page, expectSound } = await open(`/queue/${id}`, { role: 'analyst' })
    await page.getByRole('button', { name: /Aprovar/ }).click()
    const dialog = page.getByRole('dialog')
    const start = dialog.getByRole('textbox', { name: 'Início de vigência definido pela operadora' })
    await start.fill('01/02/1998')
    await start.press('Tab')
    await dialog.getByRole('button', { name: 'Aprovar' }).click()
    await dialog.getByRole('alert').waitFor()
    await dialog.getByRole('button', { name: 'Sim, a data está certa' }).waitFor()
    // Another date is another question.
    await start.fill('02/02/1998')
    await start.press('Tab')
    await dialog.getByRole('button', { name: 'Aprovar' }).click()
    await dialog.getByRole('button', { name: 'Sim, a data está certa' }).click()
    await dialog.waitFor({ state: 'detached' })
    const { result } = expectOk(await testApp.operator.get(`/operator/v1/enrollment/${id}`)).body
    expect(result).toMatchObject({ status: 'completed', 'start-date': '1998-02-02' })
    await expectSound()
  })

  test('an address that has no id in its place says so, and leads back', async () => {
    const { page, problems } = await open('/queue', { role: 'analyst' })
    await page.goto(`${testApp.url}/console/queue/abc`)
    await page.getByRole('heading', { name: 'Não encontrado' }).waitFor()
    await page.getByRole('link', { name: 'Ir para a primeira página' }).click()
    await page.waitForURL('**/console/queue')
    expect(problems.filter((problem) => !problem.includes('400'))).toEqual([])
  })

  test('a pending status lists what the partner has to send', async () => {
    const [id = ''] = await included(primary())
    const { page, expectSound } = await open(`/queue/${id}`, { role: 'analyst', theme: 'dark' })
    await page.getByRole('button', { name: /Abrir pendência/ }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Abrir pendência' }).click()
    await page.getByText('Aguardando o parceiro').waitFor()
    const { 'pending-items': items, reason } = expectOk(await testApp.operator.get(`/operator/v1/enrollment/${id}`))
      .body.result
    expect(items).toEqual([expect.objectContaining({ kind: 'document' })])
    const list = page.getByRole('alert').getByRole('listitem')
    await expect.poll(() => list.innerText()).toContain('Documento de identidade com CPF')
    await page.getByRole('alert').getByText(reason).first().waitFor()
    await expectSound()
  })

  test('an alteration marks what changes; printed, it is one column without controls', async () => {
    const mother = primary()
    const [first = ''] = await included(mother)
    await transition(first, { status: 'completed' })
    const alteration = {
      'company-tax-id': company.taxId,
      'alteration-data': {
        'new-product-id': company.products[premium],
        name: 'Helena Lima',
        'mothers-name': 'Fátima Brandão',
      },
    }
    expectOk(await partner.post(`/v1/enrollment/alteration/${mother['tax-id']}`, alteration))
    const queue = `/operator/v1/enrollment?status=open&member-tax-id=${mother['tax-id']}`
    const [item] = expectOk(await testApp.operator.get(queue)).body.result
    const { page, expectSound } = await open(`/queue/${item.id}`, { role: 'auditor', language: 'en', width: 390 })
    await expect
      .poll(() => cellsOf(page, /^Name Helena/))
      .toEqual(['Name', mother['name'], '≠', 'changes', 'Helena Lima'])
    const same = ['Mothers name', 'Fátima Brandão', '=', 'the same', 'Fátima Brandão']
    await expect.poll(() => cellsOf(page, /^Mothers name/)).toEqual(same)
    await expect.poll(() => cellsOf(page, /^Product name/)).toContain(premium)
    // An auditor reads, and decides nothing.
    await expect.poll(() => page.getByRole('button', { name: /Approve|Add the note|Assign/ }).count()).toBe(0)
    await expectSound()
    await page.emulateMedia({ media: 'print' })
    const visible = page.locator('button:visible, nav:visible, header:visible, iframe:visible')
    await expect.poll(() => visible.count()).toBe(0)
    const display = `getComputedStyle(document.querySelector('.movement-columns')).display`
    await expect.poll(() => page.evaluate(display)).toBe('block')
  })

  test('of two analysts on one movement the second one reads who was faster, and when', async () => {
    const [id = ''] = await included(primary())
    const other = await testApp.operatorOf('admin')
    const { page, expectSound } = await open(`/queue/${id}`, { role: 'analyst' })
    await page.getByRole('button', { name: /Rejeitar/ }).waitFor()
    expectOk(await other.post(`/operator/v1/enrollment/${id}/transition`, { status: 'completed' }))
    await page.keyboard.press('r')
    // No reason is chosen: Enter alone does not reject.
    await page.keyboard.press('Enter')
    await page.getByText('Escreva o motivo.').waitFor()
    await page.keyboard.press('1')
    await page.getByRole('dialog').getByRole('button', { name: 'Rejeitar' }).click()
    await page.getByText('Outra pessoa foi mais rápida').waitFor()
    await page.getByText(/Concluída por admin em \d\d\/\d\d\/\d{4} \d\d:\d\d/).waitFor()
    await expectSound()
    await page.keyboard.press('Escape')
    // The page was read again: there is nothing left to decide.
    await page.getByRole('button', { name: /Rejeitar/ }).waitFor({ state: 'detached' })
    await page.getByText('Operador: admin').waitFor()
  })

  test('a wrong card number is corrected once the movement is completed: the page says what it was', async () => {
    const [id = ''] = await included(primary())
    await transition(id, { status: 'completed', 'card-number': '0045 1120' })
    const { page, expectSound } = await open(`/queue/${id}`, { role: 'analyst' })
    await page.getByRole('button', { name: 'Copiar Carteirinha' }).waitFor()
    await page.getByRole('button', { name: 'Pedir segunda via da carteirinha' }).waitFor()
    await page.getByRole('button', { name: 'Corrigir carteirinha ou datas' }).click()
    const dialog = page.getByRole('dialog')
    const confirm = dialog.getByRole('button', { name: 'Corrigir o benefício' })
    await confirm.click()
    await dialog.getByText('Escreva o motivo.').waitFor()
    await dialog.getByLabel('Número da carteirinha').fill('0045 1121')
    await dialog.getByLabel('Motivo da correção').fill('Dois dígitos trocados')
    await confirm.click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByText('Número da carteirinha: 0045 1120 → 0045 1121').waitFor()
    await page.getByText('Dois dígitos trocados', { exact: true }).waitFor()
    await expectSound()
  })

  test('before a decision on a primary the page says who of the family leaves too, with links to their movements', async () => {
    const mother = primary()
    const ids = await included(mother, dependent(mother['tax-id']))
    for (const id of ids) await transition(id, { status: 'completed' })
    const details = { 'exclusion-details': { 'end-date': '2026-11-30', 'exclusion-reason': 'dismissal' } }
    const path = `/v1/enrollment/exclusion/${mother['tax-id']}/product/${company.products[health]}`
    expectOk(await partner.post(path, details))
    const query = `/operator/v1/enrollment?status=open&member-tax-id=${mother['tax-id']}`
    const [exclusion] = expectOk(await testApp.operator.get(query)).body.result
    const { page, expectSound } = await open(`/queue/${exclusion.id}`, { role: 'analyst' })
    await page.getByText('Davi Brandão Souza, filho(a), sai junto.').waitFor()
    await expectSound()
    const family = page.getByRole('region', { name: 'Família, benefícios e movimentações' })
    const child = family.getByRole('row', { name: /Davi Brandão Souza/ })
    await child.getByRole('link', { name: 'Inclusão' }).click()
    await page.getByRole('heading', { name: 'Inclusão: Davi Brandão Souza' }).waitFor()
  })

  test('every text is from the catalogue', async () => {
    const mother = await withDocuments(await writePdf('Certidão', []))
    const [id = ''] = await included(mother, dependent(mother['tax-id']))
    const reason = 'Falta o documento'
    const items = [{ kind: 'field', field: 'mothers-name', message: 'Como no RG' }]
    await transition(id, { status: 'pending-correction', reason, 'pending-items': items })
    const watched = await open(`/queue/${id}?index=0`, { role: 'admin', language: 'en-XA', theme: 'dark', width: 390 })
    // Below what is in view the frame draws nothing.
    await watched.page.locator('iframe').scrollIntoViewIfNeeded()
    await (await frameOf(watched.page)).locator('canvas').waitFor()
    expect(await untranslated(watched)).toEqual([])
    await watched.expectSound()
  })
})

describe('a hostile document', () => {
  test('reaches neither the page nor the session: the frame has an opaque origin', async () => {
    const script = `parent.document.title = 'taken'`
    const page1 = (await writePdf('Certidão', [])).toString('latin1')
    const active = page1.replace('/Type /Catalog', `/Type /Catalog /OpenAction << /S /JavaScript /JS (${script}) >>`)
    const html = `%PDF-1.7\n<!doctype html><script>${script}</script><img src=x onerror="${script}">`
    const [id = ''] = await included(await withDocuments(Buffer.from(active, 'latin1'), Buffer.from(html)))
    const { page, problems, expectSound } = await open(`/queue/${id}`, { role: 'analyst' })
    const frame = await frameOf(page)
    await frame.locator('canvas').waitFor()
    const attempts = await frame.evaluate<Json>(`(async () => {
      const nameOf = async (attempt) => {
        try { return String(await attempt()) } catch (error) { return error.name }
      }
      return {
        origin: self.origin,
        page: await nameOf(() => parent.document.title),
        navigation: await nameOf(() => { top.location.href = 'about:blank' }),
        cookie: await nameOf(() => document.cookie),
        storage: await nameOf(() => localStorage.length),
        request: await nameOf(() => fetch('/operator/v1/session')),
        window: await nameOf(() => open('about:blank')),
      }
    })()`)
    expect(attempts).toEqual({
      origin: 'null',
      page: 'SecurityError',
      navigation: 'SecurityError',
      cookie: 'SecurityError',
      storage: 'SecurityError',
      request: 'TypeError',
      window: 'null',
    })
    // What the browser says about these attempts.
    await expect.poll(() => problems.join('\n'), { timeout: 30_000 }).toContain('policy: connect-src')
    problems.splice(0)
    // Another window than the frame cannot speak for it.
    await page.evaluate(`postMessage({ type: 'failed', reason: 'damaged' }, '*')`)

    await page.getByRole('button', { name: /0,1 kB|0,2 kB/ }).click()
    await page.getByText('O arquivo está danificado').waitFor()
    await expect.poll(() => page.getByRole('button', { name: 'Baixar o original' }).isEnabled()).toBe(true)
    expect(await page.title()).not.toBe('taken')
    await expectSound()
  })

  test('that claims millions of pages leaves the page usable: 200 are shown, the rest is in the download', async () => {
    const claimed = `%PDF-1.7
1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj
2 0 obj << /Type /Pages /Kids [4 0 R 3 0 R] /Count 30000000 >> endobj
3 0 obj << /Type /Page /Parent 2 0 R /MediaBox [0 0 100 100] >> endobj
4 0 obj << /Type /Pages /Parent 2 0 R /Kids [5 0 R] /Count 29999999 >> endobj
5 0 obj << /Type /Page /Parent 4 0 R /MediaBox [0 0 100 100] >> endobj
trailer << /Root 1 0 R >>
%%EOF
`
    const [id = ''] = await included(await withDocuments(Buffer.from(claimed, 'latin1')))
    const { page, expectSound } = await open(`/queue/${id}`, { role: 'analyst' })
    const frame = await frameOf(page)
    await frame.locator('canvas').first().waitFor()
    await expect.poll(() => frame.getByRole('img').count()).toBe(200)
    await page.getByText('30.000.000 páginas').waitFor()
    await page.getByText('Só as primeiras 200 páginas são exibidas.').waitFor()
    // Only what is in view is drawn.
    await expect.poll(() => frame.locator('canvas').count()).toBeLessThan(10)
    await expect.poll(() => page.getByRole('button', { name: 'Baixar o original' }).isEnabled()).toBe(true)
    await page.getByRole('button', { name: 'Rejeitar' }).click()
    await page.getByRole('dialog').waitFor()
    await expectSound()
  })

  test('the page of the frame admits scripts of the service alone, in a sandbox, and frames of the same origin', async () => {
    const { headers } = await fetch(`${testApp.url}/console/document.html`)
    const policy = headers.get('content-security-policy')?.split(';')
    expect(policy).toEqual(
      expect.arrayContaining(['sandbox allow-scripts', "default-src 'none'", "frame-ancestors 'self'"]),
    )
    expect(policy?.join()).not.toContain('unsafe-inline')
  })
})
