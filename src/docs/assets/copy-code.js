// Adds a button that copies the text to each block of code.
const labels = document.documentElement.lang === 'en' ? ['Copy', 'Copied'] : ['Copiar', 'Copiado']
// Absent without TLS, but on the machine itself.
for (const block of navigator.clipboard === undefined ? [] : document.querySelectorAll('.code')) {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'copy'
  button.textContent = labels[0]
  const copy = async () => {
    await navigator.clipboard.writeText(block.firstElementChild.textContent)
    button.textContent = labels[1]
  }
  button.addEventListener('click', () => void copy())
  block.append(button)
}
