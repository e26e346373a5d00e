// Puts the reader's own time beside each time in UTC. Nothing needs it.
for (const time of document.querySelectorAll('.moment time')) {
  const local = document.createElement('span');
  local.className = 'local';
  local.textContent = new Date(time.dateTime).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });
  local.title = 'your time';
  time.after(' ', local);
}

// Puts a button beside each text that is to be pasted elsewhere. Without it the text can be selected.
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
      () => (status.textContent = 'Not copied: select the text'),
    );
    button.textContent = status.textContent;
    setTimeout(() => (button.textContent = 'Copy'), 2000);
  });
  source.after(button, status);
}
