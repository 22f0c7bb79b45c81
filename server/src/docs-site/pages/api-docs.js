// Reading needs no script. This one searches routes, and sends the forms with the cookies of this browser.
const TIMEOUT_MS = 15_000;
const MOST_CHARACTERS = 20_000;

const find = document.getElementById('find');
if (find) {
  find.hidden = false;
  find.querySelector('input').addEventListener('input', ({ target }) => {
    const wanted = target.value.trim().toLowerCase();
    for (const section of document.querySelectorAll('.routes')) {
      for (const row of section.querySelectorAll('li')) row.hidden = !row.textContent.toLowerCase().includes(wanted);
      section.hidden = !section.querySelector('li:not([hidden])');
    }
  });
}

const bearer = document.getElementById('bearer');
const token = document.getElementById('token');
if (bearer) {
  bearer.hidden = false;
  token.value = sessionStorage.getItem('token') ?? '';
  token.addEventListener('input', () => sessionStorage.setItem('token', token.value.trim()));
}

for (const form of document.querySelectorAll('form.try')) {
  form.hidden = false;
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void send(form, event.submitter?.value ?? form.querySelector('button').value);
  });
}

async function send(form, method) {
  const shown = form.querySelector('.answer');
  shown.textContent = '…';
  try {
    const { url, ...request } = requestOf(form, method);
    await show(shown, await fetch(url, { ...request, signal: AbortSignal.timeout(TIMEOUT_MS) }));
  } catch (error) {
    shown.append(line(String(error)));
  }
}

/** Leaves out empty fields. */
function requestOf(form, method) {
  const fields = [...form.querySelectorAll('[data-place]')].filter(({ value }) => value !== '');
  const given = (place) =>
    fields.filter(({ dataset }) => dataset.place === place).map(({ name, value }) => [name, value]);
  const path = given('path').reduce(
    (known, [name, value]) => known.replace(`{${name}}`, encodeURIComponent(value)),
    form.dataset.path,
  );
  const { type } = form.dataset;
  const text = form.elements.body?.value;
  return {
    method,
    url: `${path}?${new URLSearchParams(given('query'))}`.replace(/\?$/, ''),
    headers: {
      ...Object.fromEntries(given('header')),
      ...(token.value.trim() && { authorization: `Bearer ${token.value.trim()}` }),
      ...(type && { 'content-type': type }),
    },
    ...(type && { body: type === 'application/json' ? text : String(new URLSearchParams(JSON.parse(text))) }),
  };
}

/** Shows the status at once, and the body as it comes, for streams. */
async function show(shown, response) {
  const type = response.headers.get('content-type') ?? '';
  const status = Object.assign(line(`${response.status} ${response.statusText} ${type}`), { className: 'small' });
  shown.replaceChildren(status);
  if (response.status === 204) return;
  if (!/json|text/.test(type)) {
    shown.append(line(`${(await response.blob()).size} bytes`));
    return;
  }
  const body = Object.assign(document.createElement('pre'), { tabIndex: 0 });
  shown.append(body);
  for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
    body.textContent = (body.textContent + text).slice(0, MOST_CHARACTERS);
  }
  if (type.includes('json') && body.textContent.length < MOST_CHARACTERS)
    body.textContent = JSON.stringify(JSON.parse(body.textContent), null, 2);
}

const line = (text) => Object.assign(document.createElement('p'), { textContent: text });
