/** Search, copy buttons, the theme and the language of the samples. Pages are complete without it. */

function remember(name, value) {
  try {
    localStorage.setItem(name, value);
  } catch {
    // Storage is blocked: the choice lasts as long as the page.
  }
}

function remembered(name) {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

const root = document.documentElement;
document.getElementById('theme').addEventListener('click', () => {
  const isDark = root.dataset.theme
    ? root.dataset.theme === 'dark'
    : matchMedia('(prefers-color-scheme: dark)').matches;
  root.dataset.theme = isDark ? 'light' : 'dark';
  remember('theme', root.dataset.theme);
});

// One choice of language for all samples.
const languageInputs = [...document.querySelectorAll('.samples input')];
function chooseLanguage(language) {
  for (const input of languageInputs) if (input.value === language) input.checked = true;
}
for (const input of languageInputs) {
  input.addEventListener('change', () => {
    const before = input.getBoundingClientRect().top;
    chooseLanguage(input.value);
    // Samples above change their height; the tabs stay where they were on the screen.
    scrollBy(0, input.getBoundingClientRect().top - before);
    remember('language', input.value);
  });
}
chooseLanguage(remembered('language'));

/** False where the browser refuses; the text is then selected. */
async function copyText(element) {
  try {
    await navigator.clipboard.writeText(element.textContent);
    return true;
  } catch {
    // A page that is served without HTTPS has no clipboard.
    getSelection().selectAllChildren(element);
    return document.execCommand('copy');
  }
}

for (const block of document.querySelectorAll('pre.code')) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copy';
  button.textContent = 'Copy';
  button.addEventListener('click', async () => {
    const isCopied = await copyText(block.querySelector('code'));
    button.textContent = isCopied ? 'Copied' : 'Selected: press Ctrl+C';
    setTimeout(() => {
      button.textContent = 'Copy';
    }, 2000);
  });
  const frame = document.createElement('div');
  frame.className = 'code-frame';
  block.replaceWith(frame);
  frame.append(block, button);
}

/** The id that the hash of an address names. */
function idOf(hash) {
  try {
    return decodeURIComponent(hash.slice(1));
  } catch {
    // Not percent-encoded, such as #100%.
    return hash.slice(1);
  }
}

// A link to a member inside a closed part opens it; one to a section that is on another page by now opens that page.
function openTarget() {
  const target = document.getElementById(idOf(location.hash));
  if (target?.dataset.moved !== undefined) location.replace(target.querySelector('a').href);
  for (let at = target; at; at = at.parentElement) if (at.tagName === 'DETAILS') at.open = true;
}
addEventListener('hashchange', openTarget);
openTarget();

document.querySelector('.sidebar [aria-current]')?.scrollIntoView({ block: 'nearest' });

// The heading that is read at the moment.
const contentLinks = new Map([...document.querySelectorAll('.contents a')].map((link) => [idOf(link.hash), link]));
if (contentLinks.size > 0) {
  const observer = new IntersectionObserver(
    (entries) => {
      const entry = entries.find(({ isIntersecting }) => isIntersecting);
      if (!entry) return;
      for (const [id, link] of contentLinks) link.classList.toggle('current', id === entry.target.id);
    },
    { rootMargin: '-10% 0px -75% 0px' },
  );
  for (const id of contentLinks.keys()) observer.observe(document.getElementById(id));
}

const input = document.getElementById('search');
const list = document.getElementById('search-results');
const maxResults = 8;
let index;
let selected = -1;
/** Counts the lists that were asked for, so that a late one is not shown. */
let latest = 0;

/** A page before its sections. */
const preferPages = (url) => (url.includes('#') ? 1 : 2);

/** Loaded at the first use: most pages are read without a search. */
function loadIndex() {
  index ??= Promise.all([
    import('/docs/assets/minisearch.js'),
    fetch('/docs/assets/search.json').then((response) => {
      if (!response.ok) throw new Error(`the search records are answered ${response.status}`);
      return response.json();
    }),
  ]).then(([{ default: MiniSearch }, records]) => {
    const search = new MiniSearch({
      idField: 'url',
      fields: ['title', 'page', 'keywords', 'text'],
      storeFields: ['title', 'page', 'text'],
      searchOptions: {
        prefix: true,
        fuzzy: 0.15,
        combineWith: 'AND',
        boost: { title: 4, keywords: 4, page: 2 },
        boostDocument: preferPages,
      },
    });
    search.addAll(records);
    return search;
  });
  // The next use tries again.
  index.catch(() => {
    index = undefined;
  });
  return index;
}

async function showResults() {
  const query = input.value.trim();
  if (query === '') return hideResults();
  latest += 1;
  const number = latest;
  const items = await findItems(query);
  if (number !== latest) return;
  list.replaceChildren(...items);
  selected = list.querySelector('a') ? 0 : -1;
  list.hidden = false;
  input.setAttribute('aria-expanded', 'true');
  markSelected();
}

async function findItems(query) {
  try {
    const search = await loadIndex();
    const results = search.search(query).slice(0, maxResults);
    return results.length > 0 ? results.map(resultItem) : [messageItem(`Nothing found for “${query}”`)];
  } catch {
    return [messageItem('The search could not be loaded. Type again to retry.')];
  }
}

/** The link itself is the option: an option has no content that can be focused. */
function resultItem({ id, title, page, text }, position) {
  const link = document.createElement('a');
  link.setAttribute('role', 'option');
  link.id = `result-${position}`;
  link.href = id;
  link.tabIndex = -1;
  const line = (className, content) => {
    const span = document.createElement('span');
    span.className = className;
    span.textContent = content;
    return span;
  };
  link.append(line('result-title', title), line('result-page', page), line('result-text', text.trim().slice(0, 110)));
  link.addEventListener('click', () => hideResults());
  return link;
}

function messageItem(message) {
  const item = document.createElement('div');
  item.className = 'no-result';
  item.setAttribute('role', 'option');
  item.setAttribute('aria-disabled', 'true');
  item.textContent = message;
  return item;
}

function markSelected() {
  [...list.children].forEach((item, position) => {
    item.setAttribute('aria-selected', String(position === selected));
    if (position === selected) item.scrollIntoView({ block: 'nearest' });
  });
  if (selected >= 0) input.setAttribute('aria-activedescendant', `result-${selected}`);
  else input.removeAttribute('aria-activedescendant');
}

function hideResults() {
  latest += 1;
  selected = -1;
  list.replaceChildren();
  list.hidden = true;
  input.setAttribute('aria-expanded', 'false');
  input.removeAttribute('aria-activedescendant');
}

input.addEventListener('focus', () => loadIndex().catch(() => undefined));
input.addEventListener('input', showResults);
input.addEventListener('keydown', (event) => {
  const count = list.querySelectorAll('a').length;
  if (event.key === 'Escape') hideResults();
  else if (event.key === 'Enter' && selected >= 0) list.children[selected].click();
  else if ((event.key === 'ArrowDown' || event.key === 'ArrowUp') && count > 0) {
    selected = (selected + (event.key === 'ArrowDown' ? 1 : -1) + count) % count;
    markSelected();
    event.preventDefault();
  }
});
document.addEventListener('click', (event) => {
  if (!event.target.closest('.search')) hideResults();
});
document.addEventListener('keydown', (event) => {
  const isTyping = /^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement?.tagName ?? '');
  if (event.key === '/' && !isTyping && !event.ctrlKey && !event.metaKey) {
    event.preventDefault();
    input.focus();
  }
});
