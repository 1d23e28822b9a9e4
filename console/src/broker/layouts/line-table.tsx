/** Lines of a file with their numbers, each sheet after its name, under a ruler where they have positions. */
export function LineTable(props: {
  readonly label: string
  readonly ruler: string | null
  readonly lines: readonly { readonly sheet: string | null; readonly line: number; readonly text: string }[]
}) {
  const { label, ruler, lines } = props
  return (
    <div className="layout-lines" tabIndex={0} role="region" aria-label={label} translate="no">
      <table>
        <tbody>
          {ruler !== null && (
            <tr aria-hidden>
              <th>#</th>
              <td>{ruler}</td>
            </tr>
          )}
          {lines.map(({ sheet, line, text }) => (
            <tr key={`${sheet} ${line}`}>
              <th scope="row">{sheet === null ? line : `${sheet} ${line}`}</th>
              <td>{text}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
