// Optional: a button that copies the content of a box. Browsers allow that on https and on this machine.
const boxes = navigator.clipboard ? document.querySelectorAll('pre[data-copy]') : [];

for (const box of boxes) {
  const button = Object.assign(document.createElement('button'), {
    type: 'button',
    className: 'quiet copy',
    textContent: 'Copy',
  });
  const said = (word) => () => (button.textContent = word);
  button.addEventListener('click', () => {
    navigator.clipboard.writeText(box.textContent).then(said('Copied'), said('Not allowed'));
  });
  box.after(button);
}
