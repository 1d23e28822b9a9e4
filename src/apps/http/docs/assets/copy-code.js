// Adds a button that copies the text to each block of code.
// Absent without TLS, but on the machine itself.
for (const block of navigator.clipboard === undefined ? [] : document.querySelectorAll('.code')) {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'copy'
  button.textContent = 'Copy'
  const copy = async () => {
    await navigator.clipboard.writeText(block.firstElementChild.textContent)
    button.textContent = 'Copied'
  }
  button.addEventListener('click', () => void copy())
  block.append(button)
}
