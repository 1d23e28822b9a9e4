import './onboarding.css'
import { StrictMode, useEffect, useMemo, useRef, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { DataForm } from './data-form.tsx'
import { IdentifyForm } from './identify-form.tsx'
import { Link, type LinkError, type View } from './link.ts'
import { type Language, TEXTS } from './texts.ts'

/** The name and the logo of the broker, or the name of the product. Reading them has no effect on the link. */
function Brand() {
  const [brand, setBrand] = useState<{
    readonly 'broker-name': string | null
    readonly 'logo-url': string | null
  } | null>(null)
  useEffect(() => {
    fetch('/operator/v1/brand')
      .then((response) => response.json())
      .then(({ result }) => setBrand(result))
      // The page works without them.
      .catch(() => {})
  }, [])
  const logo = brand?.['logo-url']
  return (
    <span className="brand" translate="no">
      {logo && <img src={logo} alt="" />}
      {brand?.['broker-name'] ?? 'Vigencia'}
    </span>
  )
}

/** What the page shows: nothing is called before the second factor, so that opening it has no effect. */
function Page({ token }: { readonly token: string }) {
  const [language, setLanguage] = useState<Language>(navigator.language.startsWith('en') ? 'en' : 'pt-BR')
  const [view, setView] = useState<View | null>(null)
  const [isOpen, setOpen] = useState(false)
  const [problem, setProblem] = useState<LinkError | null>(null)
  const t = TEXTS[language]
  const link = useMemo(() => new Link(token), [token])
  useEffect(() => {
    document.documentElement.lang = language
    document.title = t.title
  }, [language, t])
  const other = language === 'en' ? 'pt-BR' : 'en'
  /** After the end of the session the identity is confirmed again; what was written stays. */
  const fail = (error: LinkError) => {
    setProblem(error)
    if (['session-ended', 'link-expired', 'link-blocked'].includes(error.code)) setOpen(false)
  }
  return (
    <>
      <header>
        <Brand />
        <button type="button" className="quiet" lang={other} onClick={() => setLanguage(other)}>
          {t.otherLanguage}
        </button>
      </header>
      <main>
        {token === '' && <Message title={t.incompleteTitle} text={t.incomplete} />}
        {token !== '' && !isOpen && (
          <IdentifyForm
            t={t}
            link={link}
            problem={problem}
            onOpened={(opened) => {
              setView(opened)
              setOpen(true)
            }}
            onProblem={setProblem}
          />
        )}
        {view !== null && (
          <div hidden={!isOpen}>
            {view.status === 'submitted' ? (
              <Message title={t.sentTitle} text={t.sent(view['company-name'])} />
            ) : (
              <DataForm
                t={t}
                language={language}
                link={link}
                view={view}
                onSent={() => link.read().then(setView, fail)}
                onProblem={fail}
              />
            )}
          </div>
        )}
      </main>
    </>
  )
}

function Message({ title, text }: { readonly title: string; readonly text: string }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <>
      <h1 ref={heading} tabIndex={-1}>
        {title}
      </h1>
      <p role="status">{text}</p>
    </>
  )
}

const root = document.querySelector('#root')
if (root === null) throw new Error('onboarding.html has no #root')
createRoot(root).render(
  <StrictMode>
    <Page token={location.hash.slice(1)} />
  </StrictMode>,
)
