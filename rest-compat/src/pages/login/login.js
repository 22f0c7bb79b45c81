// Optional: every page of the login app works without this file.

/** The characters of each password rule; the provider checks with the same classes. */
const counts = {
  minLength: (password) => new TextEncoder().encode(password).length,
  uppercase: (password) => matches(password, /[A-Z]/g),
  lowercase: (password) => matches(password, /[a-z]/g),
  number: (password) => matches(password, /\d/g),
  symbol: (password) => matches(password, /[^A-Za-z\d]/g),
};
const matches = (password, kind) => password.match(kind)?.length ?? 0;

for (const rules of document.querySelectorAll('[data-rules-for]')) {
  const input = document.getElementById(rules.dataset.rulesFor);
  const look = () => {
    for (const rule of rules.querySelectorAll('[data-rule]')) {
      const met = counts[rule.dataset.rule](input.value) >= Number(rule.dataset.least);
      rule.classList.toggle('met', met);
    }
  };
  input.addEventListener('input', look);
  look();
}

const passwords = document.querySelectorAll('input[type=password]');
const button = document.querySelector('button[data-show]');
if (passwords.length > 0 && button) {
  const box = Object.assign(document.createElement('input'), { type: 'checkbox', id: 'show' });
  const label = Object.assign(document.createElement('label'), { htmlFor: 'show', textContent: button.dataset.show });
  const line = Object.assign(document.createElement('p'), { className: 'field check' });
  line.append(box, label);
  button.closest('p').before(line);
  box.addEventListener('change', () => {
    for (const password of passwords) password.type = box.checked ? 'text' : 'password';
  });
}

// A second click on a slow line must not send a form twice.
for (const form of document.forms) {
  form.addEventListener('submit', () => {
    for (const each of form.querySelectorAll('button')) each.disabled = true;
  });
}
