// Sends what is typed to the server, where it is kept as a draft, and shows the survey page as it would be. Until the server has it, it is kept in
// this tab, so that a reload or a crash of the server loses nothing. Without this script, people press the buttons Keep as a draft and Show.
const form = document.querySelector('form.editor');
const state = form.querySelector('[data-state]');
const conflict = form.querySelector('[data-conflict]');
const look = document.querySelector('form.look');
const { revision, next, theirs, received } = form.elements;
const KEY = `draft ${location.pathname}`;
/** In milliseconds: after the last key, and until the first new attempt, which doubles up to the last. */
const PAUSE = 300;
const [FIRST_RETRY, LAST_RETRY] = [1000, 15_000];

let timer;
let sending;
let retry = FIRST_RETRY;
/** Whether something was typed that the server doesn't have. */
let isTyped = false;
let isLeaving = false;

const isKept = ({ name, type }) => name !== '' && !['hidden', 'submit', 'button'].includes(type);
const fields = () => [...form.elements].filter(isKept);
const contentOf = (field) => (field.type === 'checkbox' ? field.checked : field.value);

/** @param submitted The revision that a button's form will have stored, after which the page shows other fields. */
function remember(submitted) {
  const values = fields().map((field) => [field.name, contentOf(field)]);
  sessionStorage.setItem(KEY, JSON.stringify({ known: revision.value, submitted, values }));
}

/** Gives what is sent now a revision of its own. If the reply is lost, nobody knows whether it is stored: so the form goes on from either. */
function begin() {
  next.value = crypto.randomUUID();
  const body = new URLSearchParams(new FormData(form));
  body.set('action', 'autosave');
  revision.value += ` ${next.value}`;
  remember();
  return body;
}

function forget() {
  isTyped = false;
  sessionStorage.removeItem(KEY);
}

/** Puts back what this tab had not sent before it was reloaded. Of a form that others have changed since, the person decides. */
function restore() {
  const stored = JSON.parse(sessionStorage.getItem(KEY) ?? 'null');
  if (stored === null) return;
  if (stored.submitted !== undefined && [revision.value, received.value].includes(stored.submitted)) return forget();
  const values = new Map(stored.values);
  const changed = fields().filter((field) => values.has(field.name) && values.get(field.name) !== contentOf(field));
  if (changed.length === 0) return forget();
  for (const field of changed) {
    if (field.type === 'checkbox') field.checked = values.get(field.name);
    else field.value = values.get(field.name);
  }
  isTyped = true;
  const isOwn = stored.known.split(' ').includes(revision.value);
  theirs.value = revision.value;
  // What was sent last may arrive only now.
  revision.value = stored.known;
  if (isOwn) return later(0);
  showConflict('Somebody, or you in another window, has changed these questions');
}

const say = (text, isBad = false) => {
  state.textContent = text;
  state.classList.toggle('warning', isBad);
};

function showConflict(who) {
  conflict.querySelector('[data-who]').textContent = who;
  conflict.hidden = false;
  conflict.setAttribute('role', 'alert');
  say('Not kept: see above', true);
}

const isStopped = () => !conflict.hidden;

function later(delay) {
  clearTimeout(timer);
  if (!isStopped()) timer = setTimeout(send, delay);
}

function send() {
  sending ??= attempt().finally(() => (sending = undefined));
  return sending;
}

async function attempt() {
  clearTimeout(timer);
  const body = begin();
  isTyped = false;
  say('Keeping…');
  const response = await fetch(location.pathname, { method: 'POST', body, redirect: 'manual' }).catch(() => undefined);
  if (response?.headers.get('content-type')?.startsWith('application/json') && [200, 409].includes(response.status)) {
    const answer = await response.json().catch(() => undefined);
    if (answer !== undefined) return response.ok ? kept(answer) : refused(answer);
  }
  isTyped = true;
  say(`Not kept yet: ${reasonOf(response)}`, true);
  later(retry);
  retry = Math.min(retry * 2, LAST_RETRY);
}

const reasonOf = (response) =>
  response === undefined
    ? 'the server can’t be reached. Trying again…'
    : response.type === 'opaqueredirect'
      ? 'you are signed out. Sign in in another window, then reload this page.'
      : response.status === 403
        ? 'reload this page: what you typed stays in it.'
        : 'the server has a problem. Trying again…';

function kept({ revision: stored, changes }) {
  retry = FIRST_RETRY;
  revision.value = stored ?? 'none';
  const part = form.querySelector('[data-changes]');
  const isOpen = part.querySelector('details')?.open;
  part.innerHTML = changes;
  const details = part.querySelector('details');
  if (details !== null && isOpen) details.open = true;
  showNext(part.querySelector('.changes li') !== null);
  if (isTyped) later(PAUSE);
  else {
    forget();
    say(stored === null ? '' : 'Kept as a draft');
  }
  show();
}

/** One button stands out: Publish, or without changes what comes next for the survey. */
function showNext(hasChanges) {
  form.querySelector('[value="publish"]').classList.toggle('quiet', !hasChanges);
  document.querySelector('.head .actions > a.desk:last-of-type')?.classList.toggle('quiet', hasChanges);
}

function refused({ theirs: other, who, mine }) {
  isTyped = true;
  theirs.value = other ?? 'none';
  showConflict(
    other === null
      ? 'Somebody has published or discarded changes of these questions'
      : `${mine ? 'You have, in another window,' : `${who} has`} changed these questions`,
  );
}

/** Only a scale from 0 to 10 can be counted as Net Promoter Score. */
function offerNps() {
  for (const part of form.querySelectorAll('[data-nps]')) {
    const index = part.querySelector('input').name.split('-').at(-1);
    const [min, max] = ['min', 'max'].map((name) => form.elements[`${name}-${index}`].value.trim());
    part.hidden = min !== '0' || max !== '10';
  }
}

form.addEventListener('input', ({ target }) => {
  isTyped = true;
  target.removeAttribute('aria-invalid');
  target.closest('.field')?.querySelector('.error')?.remove();
  offerNps();
  remember();
  later(PAUSE);
});
// The button's form has to name what an attempt in progress will have stored.
form.addEventListener('submit', async (event) => {
  // Somebody presses twice: console.js has prevented it.
  if (event.defaultPrevented) return;
  clearTimeout(timer);
  if (sending === undefined) {
    isLeaving = true;
    next.value = crypto.randomUUID();
    remember(next.value);
    return;
  }
  event.preventDefault();
  await sending;
  form.ariaBusy = 'false';
  form.requestSubmit(event.submitter);
});
for (const link of form.querySelectorAll('[data-theirs]'))
  link.addEventListener('click', () => {
    isLeaving = true;
    forget();
  });
addEventListener('beforeunload', (event) => {
  if (!isLeaving && isTyped && isStopped()) event.preventDefault();
});
// What was typed just now is still sent.
addEventListener('pagehide', () => {
  if (!isLeaving && isTyped && !isStopped()) navigator.sendBeacon(location.pathname, begin());
});
// Back to a page that the browser has kept: it may be old.
addEventListener('pageshow', ({ persisted }) => persisted && location.reload());
addEventListener('online', () => isTyped && later(0));

// The survey page. Loading another one into the same frame would add an entry to the browser's history, so each gets a new frame. The old one stays
// until the new one is there, which then shows the same place.
let frame = document.querySelector('.screen iframe');
function show() {
  const fresh = document.createElement('iframe');
  fresh.title = frame.title;
  fresh.src = `${look.action}?${new URLSearchParams(new FormData(look))}`;
  const old = frame;
  frame = fresh;
  fresh.addEventListener('load', () => {
    // Without a document: the browser's own page, because the server is away.
    fresh.contentDocument?.defaultView?.scrollTo(0, old.contentDocument?.defaultView?.scrollY ?? 0);
    for (const other of fresh.parentElement?.querySelectorAll('iframe') ?? []) if (other !== frame) other.remove();
    follow();
  });
  old.after(fresh);
}
/** Scrolls the frame to the question that is being edited. Its own scrollIntoView would scroll this page, too. */
function follow() {
  const id = document.activeElement?.closest('form.editor > section')?.querySelector('[name^="id-"]')?.value;
  const question = frame.contentDocument?.getElementsByName(`answer.${id}`)[0]?.closest('.question');
  const { top = 0, bottom = 0 } = question?.getBoundingClientRect() ?? {};
  const isShown = top >= 0 && bottom <= frame.contentWindow.innerHeight;
  if (bottom > top && !isShown) frame.contentWindow.scrollBy(0, top - 24);
}
form.addEventListener('focusin', follow);
frame.addEventListener('load', follow);
look.addEventListener('change', ({ target }) => {
  if (target.name !== 'width') show();
});
look.addEventListener('submit', (event) => {
  event.preventDefault();
  show();
});

form.classList.add('is-live');
look.classList.add('is-live');
restore();
offerNps();
follow();
