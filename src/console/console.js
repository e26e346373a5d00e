// What scripts add to the pages. Every page also works without scripts.

// Shows times in the reader's time zone. A button at the end of the page switches back to UTC. Each time's title always shows UTC.
const times = [...document.querySelectorAll('time:not([data-age])')];
const ages = [...document.querySelectorAll('time[data-age]')];
const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
// Tells the server the time zone, so that it counts by the reader's days.
// biome-ignore lint/suspicious/noDocumentCookie: not all browsers have the Cookie Store API.
document.cookie = `zone=${timeZone}; Path=/; SameSite=Lax; Max-Age=31536000${location.protocol === 'https:' ? '; Secure' : ''}`;
// A test workspace has a clock of its own.
const now = new Date(document.documentElement.dataset.now ?? Date.now());
const isLocal = [...times, ...ages].some((time) => new Date(time.dateTime).getTimezoneOffset() !== 0);

function inWords(at) {
  const clock = at.toLocaleTimeString('en-US', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  if (at.toDateString() === now.toDateString()) return `Today, ${clock}`;
  return `${at.getDate()} ${at.toLocaleDateString('en-US', { month: 'short' })} ${at.getFullYear()}, ${clock}`;
}

if (isLocal) {
  const note = document.createElement('p');
  const sentence = document.createElement('span');
  const button = document.createElement('button');
  const shown = times.map((time) => ({ time, utc: time.textContent, local: inWords(new Date(time.dateTime)) }));
  const show = (zone) => {
    for (const { time, utc, local } of shown) time.textContent = zone === 'utc' ? utc : local;
    sentence.textContent = zone === 'utc' ? 'Times are in UTC. ' : `Times are in ${timeZone.replaceAll('_', ' ')}. `;
    button.textContent = zone === 'utc' ? 'Show my time' : 'Show UTC';
  };
  let zone = 'local';
  for (const time of ages) time.title = `${inWords(new Date(time.dateTime))}, ${time.title}`;
  for (const { time, utc } of shown) time.title = `${utc}, ${time.title}`;
  note.className = 'note zone';
  button.type = 'button';
  button.className = 'quiet';
  button.addEventListener('click', () => {
    zone = zone === 'utc' ? 'local' : 'utc';
    show(zone);
  });
  show(zone);
  note.append(sentence, button);
  document.querySelector('main').append(note);
}

// If a row of links is wider than the screen, scroll to the current link.
for (const current of document.querySelectorAll(':is(.tabs, .side nav) [aria-current]')) {
  const row = current.parentElement;
  row.scrollLeft = current.offsetLeft - row.offsetLeft - row.clientWidth / 2;
}

// Escape, or a click elsewhere, closes an open menu.
const openMenu = () => document.querySelector('details.menu[open]');
document.addEventListener('keydown', ({ key }) => {
  const menu = openMenu();
  if (key !== 'Escape' || menu === null) return;
  menu.open = false;
  menu.querySelector('summary').focus();
});
document.addEventListener('click', ({ target }) => {
  const menu = openMenu();
  if (menu !== null && !menu.contains(target)) menu.open = false;
});

// Marks a form as unsaved if someone has typed in it or it was refused, and asks before the reader leaves the page.
const unsaved = new Set();
let submitted;
const differs = (field) =>
  field.type === 'checkbox' || field.type === 'radio'
    ? field.checked !== field.defaultChecked
    : field.options
      ? field.selectedIndex !==
        Math.max(
          0,
          [...field.options].findIndex((option) => option.defaultSelected),
        )
      : field.value !== field.defaultValue;
for (const form of document.querySelectorAll('main form[method="post"]:not(.once, .editor)')) {
  const fields = [...form.elements].filter((field) => field.name && !['hidden', 'submit', 'button'].includes(field.type));
  const isStale = form.dataset.unsaved !== undefined || form.querySelector('[aria-invalid]') !== null;
  if (fields.length === 0 && !isStale) continue;
  const mark = document.createElement('strong');
  mark.className = 'warning unsaved';
  mark.setAttribute('aria-live', 'polite');
  if (form.querySelector('.unsaved') === null) [...form.querySelectorAll('[type="submit"]')].at(-1)?.after(' ', mark);
  const look = () => {
    const is = isStale || fields.some(differs);
    unsaved[is ? 'add' : 'delete'](form);
    mark.textContent = is ? 'Not saved yet' : '';
  };
  form.addEventListener('input', () => {
    submitted = undefined;
    look();
  });
  form.addEventListener('submit', () => (submitted = form));
  form.querySelector('.discard')?.addEventListener('click', () => (submitted = form));
  look();
}
addEventListener('beforeunload', (event) => {
  if ([...unsaved].some((form) => form !== submitted)) event.preventDefault();
});

// An error is about what was submitted: it goes away when that is changed.
for (const field of document.querySelectorAll('[aria-invalid="true"]')) {
  const clear = () => {
    field.removeAttribute('aria-invalid');
    document.getElementById(`${field.id || field.name}-error`)?.remove();
  };
  field.addEventListener('input', clear, { once: true });
}

// A form that is being submitted says so, and isn't submitted twice: the second time, no other script sees it. A form that a script sends by itself, or
// whose answer goes into a frame, leaves the page as it is, and can be submitted again.
addEventListener(
  'submit',
  (event) => {
    if (event.target.ariaBusy !== 'true') return;
    event.preventDefault();
    event.stopPropagation();
  },
  true,
);
addEventListener('submit', (event) => {
  const { target: form, submitter } = event;
  if (event.defaultPrevented || form.method !== 'post' || submitter?.formTarget || form.target) return;
  form.ariaBusy = 'true';
  submitter?.classList.add('pending');
});
// The browser may show a page again as it left it.
addEventListener('pageshow', () => {
  for (const form of document.querySelectorAll('[aria-busy="true"]')) form.ariaBusy = 'false';
  for (const button of document.querySelectorAll('.pending')) button.classList.remove('pending');
});

// What a form did can be put away.
for (const message of document.querySelectorAll('.notice-line[role="status"]')) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'quiet dismiss';
  button.setAttribute('aria-label', 'Dismiss');
  button.addEventListener('click', () => {
    message.remove();
    document.querySelector('main').focus();
  });
  message.append(button);
}

// Says once what a form did: reloading the page doesn't say it again.
const address = new URL(location.href);
if (address.searchParams.has('done')) {
  address.searchParams.delete('done');
  history.replaceState(null, '', address);
}

// A worker is doing what the page shows.
if (document.querySelector('[data-reload]') !== null) setTimeout(() => location.reload(), 2000);

// Adds a copy button to each text that people paste elsewhere.
for (const source of document.querySelectorAll('[data-copy]')) {
  if (navigator.clipboard === undefined) break;
  const button = document.createElement('button');
  const status = document.createElement('span');
  button.type = 'button';
  button.className = 'quiet copy';
  button.textContent = 'Copy';
  button.setAttribute('aria-label', `Copy ${source.dataset.copy}`);
  status.className = 'hidden';
  status.setAttribute('role', 'status');
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(source.textContent).then(
      () => (status.textContent = 'Copied'),
      () => (status.textContent = 'Copy failed: select the text'),
    );
    button.textContent = status.textContent;
    setTimeout(() => (button.textContent = 'Copy'), 2000);
  });
  source.after(button, status);
}
