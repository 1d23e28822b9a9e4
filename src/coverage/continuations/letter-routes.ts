import type { FastifyReply } from 'fastify'
import { ApiError } from '#platform/core/errors.ts'
import { REMAINDER_SETTING } from '../rules/continuation.ts'
import { type App, callerOf, type Context } from '#platform/http/context.ts'
import { binaryContent, sendHeaders, setDownloadHeaders } from '#platform/http/download.ts'
import { route } from '#platform/http/route.ts'
import { errorResponses } from '#platform/http/schemas.ts'
import { type Letter, LETTERS, writeLetter } from './letters.ts'
import { type ContinuationLetter, readAnyLetter, readLetter } from './queries.ts'
import { ContinuationPath } from './schema.ts'
import { readSettingsOfBenefits, termUnder } from './write.ts'

const names: Readonly<
  Record<Letter, { id: string; summary: string; description: string; file: string; command: string; sdk: string }>
> = {
  notice: {
    id: 'Notice',
    summary: 'Download the employer’s notice as a PDF',
    description:
      'With the term, the articles, the day until which the answer counts, and the prices if the company gave them.',
    file: 'comunicado.pdf',
    command: 'notice',
    sdk: 'notice',
  },
  'option-form': {
    id: 'OptionForm',
    summary: 'Download the form of the answer as a PDF',
    description: 'For the signature of the person: the document `continuation-option-form` of an exclusion.',
    file: 'termo-de-opcao.pdf',
    command: 'option-form',
    sdk: 'optionForm',
  },
}
const about =
  'In Portuguese, as text that can be selected, calculated from data that the company gave. A template: have a lawyer read it before you use it.'
const pdf = 'application/pdf'

/** The letters of a continuation, on both APIs. */
export async function continuationLetterRoutes(app: App, context: Context): Promise<void> {
  for (const letter of LETTERS) {
    const { id: operation, summary, description, file, command, sdk } = names[letter]
    const schema = {
      summary,
      description: `${description} ${about}`,
      params: ContinuationPath,
      response: {
        200: { description: 'The PDF.', content: binaryContent([pdf]) },
        ...errorResponses(
          'continuation-not-found',
          'continuation-status',
          'contract-setting-missing',
          'text-not-printable',
        ),
      },
    }
    const send = async (reply: FastifyReply, found: ContinuationLetter | null) => {
      if (found === null) throw new ApiError('continuation-not-found')
      if (found.isRefused) throw new ApiError('continuation-status', { status: found.status })
      if (!found.hasTerm) throw new ApiError('contract-setting-missing', { 'missing-setting': REMAINDER_SETTING })
      const settings = await readSettingsOfBenefits(context.database, found.companyId, [found.benefitId])
      const bytes = await writeLetter(letter, found.facts, termUnder(settings.get(found.benefitId), found.facts))
      setDownloadHeaders(reply, { name: file, contentType: pdf, size: bytes.length })
      return reply.request.method === 'HEAD' ? sendHeaders(reply) : reply.send(bytes)
    }
    route(app, {
      method: 'GET',
      url: `/v1/continuation/:continuationId/${letter}`,
      api: 'partner',
      schema: {
        ...schema,
        tags: ['members'],
        operationId: `readContinuation${operation}`,
        'x-sdk': `continuations.${sdk}`,
        'x-cli': { command: `continuation ${command}` },
      },
      handler: async (request, reply) =>
        send(reply, await readLetter(context.database, callerOf(request), request.params.continuationId)),
    })
    route(app, {
      method: 'GET',
      url: `/operator/v1/continuation/:continuationId/${letter}`,
      api: 'operator',
      roles: ['analyst'],
      schema: {
        ...schema,
        operationId: `readAnyContinuation${operation}`,
        'x-sdk': `continuations.${sdk}`,
        'x-cli': {
          command: `continuation ${command}`,
          examples: {
            [`continuation ${command} 01995e0d-1b21-7c33-8d44-5e6f70819203 --output ${file}`]:
              'the PDF, for the person',
          },
        },
      },
      handler: async (request, reply) =>
        send(reply, await readAnyLetter(context.database, request.params.continuationId)),
    })
  }
}
