/*
 * The districts of src, in the order in which they may know each other: a file imports from its own district and from those before it. The linter,
 * the page on the architecture and the map in CONTRIBUTING.md are made from this list.
 */

/** @type {readonly { readonly name: string; readonly about: string; readonly folders: Readonly<Record<string, string>> }[]} */
export const districts = [
  {
    name: 'kernel',
    about: 'what all share, pure: dates, tax ids, names, fields, closed sets, codes, errors; the reading of texts/',
    folders: {},
  },
  {
    name: 'platform',
    about: 'knows nothing of benefits',
    folders: {
      core: 'write (the shape of every write), actor, audit, events, configuration, log, database, cryptography, storage, telemetry, threads',
      http: 'route (an operation), steps (what happens to every request, in order), bodies, schemas, limits, idempotency, OpenAPI',
      tables: 'CSV, text of fixed width and workbooks: one reader and one writer, in a thread',
      pdf: 'the writer of PDF: paragraphs on pages',
      steps: 'attempts of work that failed',
      'embedded-postgres': 'the PostgreSQL of an installation without one',
    },
  },
  {
    name: 'access',
    about: 'who calls, and what is written of it',
    folders: {
      accounts: 'people who sign in: operators and the HR of companies',
      auth: 'secrets, passwords and access tokens',
      passkeys: 'passkeys of people',
      sessions: 'sessions of the console, also by an identity provider',
      operators: 'programs and people of the broker',
      clients: 'programs of partners, and the companies that they act for',
      audit: 'the audit log and its hash chain',
    },
  },
  {
    name: 'registry',
    about: 'what the broker sets up',
    folders: {
      companies: 'client companies and their products',
      carriers: 'carriers',
      contracts: 'contracts of companies with carriers, and their cut-off calendars',
      requirements: 'which documents a movement needs',
      documents: 'files that are uploaded',
      layouts:
        'descriptions of the files of carriers and payrolls, and what reads and writes by them; built-in/: those of every installation',
      'legal-holds': 'whose data must not be deleted',
    },
  },
  { name: 'events', about: 'what is told to others', folders: { webhooks: 'events and their delivery to endpoints' } },
  {
    name: 'coverage',
    about: 'who is covered',
    folders: {
      members: 'employees and their dependents',
      benefits: 'what they are covered by',
      enrollments: 'movements as they are stored, their history and deadlines',
      continuations: 'who keeps the plan after leaving',
    },
  },
  {
    name: 'money',
    about: 'what it costs, and who pays',
    folders: {
      invoices: 'what companies pay',
      prices: 'price tables and what a carrier should charge',
      contributions: 'the parts of employees',
      costs: 'what companies and employees bear',
      claims: 'what a carrier is asked to pay back',
      months: 'whether a month is closed, and its figures',
      closings: 'the closing of a month',
      payroll: 'what payroll deducts',
    },
  },
  {
    name: 'movements',
    about: 'what changes who is covered',
    folders: {
      include: 'inclusions',
      exclude: 'exclusions',
      alter: 'alterations of partners',
      'operator-alterations': 'second cards and transfers between contracts',
      answer: 'answers of partners to pending movements',
      cancel: 'cancellations of partners',
      batch: 'accepted batches: their items and their steps; ../kinds.ts: what differs by kind',
      decide: 'decisions of operators: one, many, by file, as a job',
      transition: 'the change of status and its effects on benefits, families and replacements',
      'correct-benefit': 'corrections of benefits by operators',
      continue: 'options of people who leave, and the calculation of their terms',
      'end-extended': 'the end of a benefit that was kept',
      'draft-exclusions': 'exclusions that the clock proposes',
      'ageing-out': 'who becomes too old',
      'missing-documents': 'what is decided when documents are missing',
      requests: 'requests of partners, and what became of them',
      imports: 'members from files',
      onboarding: 'links with which employees fill in their own data',
      queue: 'the queue of the operators, and deadlines',
      search: 'search over people and movements',
      views: 'stored filters of the queue',
    },
  },
  {
    name: 'exchange',
    about: 'the other side: carriers',
    folders: {
      channels: 'how files come to carriers: e-mail, SFTP, a connector by HTTP',
      shipments: 'what is sent to a carrier at once, and what it answers',
      'layout-previews': 'what a layout writes or reads, without storing it',
      'carrier-files': 'whom a carrier covers and what it charges: lines, and the benefits that they are of',
      reconciliations: 'files of carriers compared with what is here',
    },
  },
  {
    name: 'privacy',
    about: 'the data of people',
    folders: {
      'subject-requests': 'copies of the data of a person, and disclosures',
      erasures: 'what is deleted of a person on request',
      retention: 'what is deleted when its time is over',
    },
  },
  {
    name: 'apps',
    about: 'what runs',
    folders: {
      http: 'the server and its routes; the files of the console and of the docs',
      worker: 'the queue of work, and everything periodic and dated',
      clock: 'the clock of an installation for tests',
      cli: 'commands that are more than one call',
      demo: 'the invented companies of `vigencia demo`',
      invariants: 'what must always hold of the rows of the database',
      statistics: 'figures over all movements',
      'failed-steps': 'work that failed, shown and repeated',
    },
  },
]
