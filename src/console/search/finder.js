// The search of the workspace in a dialog, opened by its link, Ctrl+K or ⌘K, or /. Suggestions come while somebody types; the arrow keys move
// between them, Enter opens one or the page of all results, Escape closes the dialog.
const link = document.querySelector('.find');
const DELAY_MS = 120;
/** People may switch the shortcut / off, because speech input types it (WCAG 2.1.4). */
const SLASH = 'search-slash';
const store = {
  get: () => {
    try {
      return localStorage.getItem(SLASH) !== 'off';
    } catch {
      return true;
    }
  },
  set: (on) => {
    try {
      localStorage.setItem(SLASH, on ? 'on' : 'off');
    } catch {}
  },
};

const make = (tag, attributes = {}, ...children) => {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
};

function createDialog() {
  const list = make('div', { id: 'find-list', role: 'listbox', 'aria-label': 'Suggestions' });
  const input = make('input', {
    ...{ type: 'text', role: 'combobox', id: 'find-text', 'aria-label': link.dataset.label, placeholder: link.dataset.label },
    ...{ 'aria-expanded': 'false', 'aria-controls': 'find-list', 'aria-autocomplete': 'list', maxlength: '254' },
    ...{ autocomplete: 'off', autocapitalize: 'off', spellcheck: 'false', enterkeyhint: 'search' },
  });
  const status = make('p', { role: 'status', class: 'hidden' });
  const slash = make('input', { type: 'checkbox' });
  slash.checked = store.get();
  slash.addEventListener('change', () => store.set(slash.checked));
  const foot = make('footer', {}, make('label', {}, slash, ' Open with /'), make('a', { href: link.href }, 'Search page'));
  const dialog = make('dialog', { class: 'finder', 'aria-label': 'Search' }, input, list, status, foot);
  let options = [];
  let active = -1;
  let timer;
  let request = new AbortController();

  const pageOf = (text) => `${link.pathname}#${encodeURIComponent(text)}`;
  const choose = (index) => {
    options[active]?.setAttribute('aria-selected', 'false');
    active = index;
    const option = options[active];
    if (option === undefined) input.removeAttribute('aria-activedescendant');
    else {
      option.setAttribute('aria-selected', 'true');
      option.scrollIntoView({ block: 'nearest' });
      input.setAttribute('aria-activedescendant', option.id);
    }
  };
  const show = (groups, text) => {
    options = [];
    const option = (href, ...content) => {
      const one = make(
        'a',
        { role: 'option', href, id: `find-${options.length}`, tabindex: '-1', 'aria-selected': 'false' },
        ...content,
      );
      options.push(one);
      return one;
    };
    const parts = groups.map(({ label, items }) =>
      make(
        'div',
        { role: 'group', 'aria-label': label },
        make('span', { class: 'label', 'aria-hidden': 'true' }, label),
        ...items.map(({ href, title, note }) =>
          option(
            href,
            make('strong', { dir: 'auto' }, title),
            ...(note ? [make('span', { class: 'dim', dir: 'auto' }, note)] : []),
          ),
        ),
      ),
    );
    const count = options.length;
    if (text)
      parts.push(
        option(
          pageOf(text),
          make(
            'span',
            {},
            count === 0 ? `Nothing found yet for “${text}”: search again on its page` : `All results for “${text}”`,
          ),
        ),
      );
    list.replaceChildren(...parts);
    input.setAttribute('aria-expanded', String(options.length > 0));
    status.textContent = text === '' ? '' : count === 1 ? '1 suggestion' : `${count} suggestions`;
    choose(-1);
  };
  const ask = async () => {
    request.abort();
    request = new AbortController();
    const { signal } = request;
    const text = input.value.trim();
    if (text === '') return show([], '');
    try {
      const body = new URLSearchParams({ csrf: document.querySelector('.account [name=csrf]').value, search: text });
      const answer = await fetch(`${link.pathname}/suggestions`, { method: 'POST', body, signal });
      // Signed out meanwhile, or too many at once: the page says so.
      const groups = answer.ok && answer.headers.get('content-type')?.startsWith('application/json') ? await answer.json() : [];
      if (!signal.aborted) show(groups, text);
    } catch {
      if (!signal.aborted) show([], text);
    }
  };
  input.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(ask, DELAY_MS);
  });
  input.addEventListener('keydown', (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && options.length > 0) {
      event.preventDefault();
      // From the field down to the first, and up to the last.
      choose(active === -1 && step === -1 ? options.length - 1 : active + step >= options.length ? -1 : active + step);
    }
    if (event.key !== 'Enter' || event.isComposing) return;
    event.preventDefault();
    const text = input.value.trim();
    if (active >= 0) location.assign(options[active].href);
    else if (text !== '') location.assign(pageOf(text));
  });
  // A click beside it closes it.
  dialog.addEventListener('click', ({ target }) => target === dialog && dialog.close());
  document.body.append(dialog);
  return {
    dialog,
    open() {
      if (dialog.open) return;
      dialog.showModal();
      input.select();
    },
  };
}

if (link !== null && 'showModal' in HTMLDialogElement.prototype) {
  let finder;
  const open = (event) => {
    event.preventDefault();
    finder ??= createDialog();
    finder.open();
  };
  const isMac = /Mac|iP(hone|ad)/.test(navigator.platform);
  link.append(make('kbd', {}, isMac ? '⌘K' : 'Ctrl K'));
  link.setAttribute('aria-keyshortcuts', `${isMac ? 'Meta' : 'Control'}+K`);
  link.addEventListener('click', (event) => {
    if (!event.ctrlKey && !event.metaKey && !event.shiftKey) open(event);
  });
  document.addEventListener('keydown', (event) => {
    const { key, ctrlKey, metaKey, altKey, target } = event;
    if (altKey || event.defaultPrevented) return;
    if (key.toLowerCase() === 'k' && (isMac ? metaKey : ctrlKey)) open(event);
    const isTyping = target.closest?.('input, textarea, select, [contenteditable]') !== null;
    if (key === '/' && !ctrlKey && !metaKey && !isTyping && store.get()) open(event);
  });
}

/** The page of all results. Its address has what was searched for after #, which browsers keep and don't send. */
const form = document.querySelector('form.finding');
if (form !== null) {
  const { search } = form.elements;
  const find = async () => {
    try {
      const answer = await fetch(form.action, { method: 'POST', body: new URLSearchParams(new FormData(form)) });
      const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
      document.querySelector('#found').replaceWith(page.querySelector('#found'));
    } catch {
      // Signed out, or too many at once: the page says so.
      form.submit();
    }
  };
  const read = () => {
    try {
      search.value = decodeURIComponent(location.hash.slice(1));
    } catch {
      return;
    }
    if (search.value !== '') find();
  };
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    history.replaceState(null, '', `#${encodeURIComponent(search.value.trim())}`);
    find();
  });
  addEventListener('hashchange', read);
  if (location.hash !== '') read();
}
