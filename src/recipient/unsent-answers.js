// Keeps entered answers in this tab when the page is reloaded, until they are submitted. If the browser stores nothing, answers are lost.
const form = document.querySelector('form');
const { pathname, search } = location;
const fields = new FormData(form);
// Each invitation link has its own stored answers.
const key = `answers ${pathname} ${fields.get('invitation') ?? ''}`;
const stored = sessionStorage.getItem(key);

if (stored !== null) {
  const { from, entries } = JSON.parse(stored);
  const answers = new Map(entries);
  let all = entries;
  // An answer that was just clicked in the email is newer than a stored one. After a reload it is older.
  if (from !== search && fields.has('clicked')) {
    const name = `answer.${fields.get('clicked')}`;
    answers.set(name, fields.get(name));
    all = [...entries.filter((entry) => entry[0] !== name), [name, fields.get(name)]];
  }
  for (const field of form.querySelectorAll('textarea')) field.value = answers.get(field.name) ?? '';
  for (const field of form.querySelectorAll('[type=radio]')) field.checked = answers.get(field.name) === field.value;
  for (const field of form.querySelectorAll('[type=checkbox]'))
    field.checked = all.some(([name, value]) => name === field.name && value === field.value);
}

function keep() {
  const entries = [...new FormData(form)].filter(([name]) => name.startsWith('answer.'));
  sessionStorage.setItem(key, JSON.stringify({ from: search, entries }));
}
form.addEventListener('input', keep);
// Of answers that were refused, the page in another language knows nothing.
if (document.querySelector('.summary') !== null) keep();
form.addEventListener('submit', () => sessionStorage.removeItem(key));
