import { ApolloProvider } from '@apollo/client/react';
import { useEffect, useRef, useState, useSyncExternalStore, type MouseEvent } from 'react';
import { createRoot } from 'react-dom/client';

import './demo.css';
import { client } from './client.ts';
import { OrderStatus } from './order-status.tsx';
import { Storefront } from './storefront.tsx';
import { Studio } from './studio.tsx';
import { LanguageContext, languages, tags, words, type Language } from './words.ts';

// Read on in this order: client.ts, operations.graphql; storefront, order-form, order-status; studio, library,
// upload-form, player.

/** Returns the segments of the address after `#`: `tickets/5`, `orders/<number>/<e-mail>`, `studio`. */
const useRoute = () =>
  useSyncExternalStore(
    (changed) => {
      window.addEventListener('hashchange', changed);
      return () => window.removeEventListener('hashchange', changed);
    },
    () => window.location.hash,
  )
    .replace(/^#\/?/, '')
    .split('/')
    .map(decodeURIComponent);

/** Starts each page at its top, for screen readers, too; the skip link leads there past the header. */
function useFocus(place: string) {
  const main = useRef<HTMLElement>(null);
  const shown = useRef(place);
  useEffect(() => {
    if (shown.current !== place) main.current?.focus();
    shown.current = place;
  }, [place]);
  const skip = (event: MouseEvent) => {
    event.preventDefault(); // the part after # is for places
    main.current?.focus();
  };
  return { main, skip };
}

function App() {
  const [language, setLanguage] = useState<Language>('en');
  const [place = '', id = '', email = ''] = useRoute();
  const said = words[language];
  const title = place === 'studio' ? said.studio : said.tickets;
  useEffect(() => {
    document.documentElement.lang = tags[language];
    document.title = `${title} – Foyer`;
  }, [language, title]);
  const { main, skip } = useFocus(`${place}/${id}`);

  return (
    <LanguageContext value={language}>
      <a className="skip" href="#main" onClick={skip}>
        {said.skip}
      </a>
      <header className="bar demo">
        <a className="brand" href="#/">
          Foyer
        </a>
        <nav aria-label="Foyer">
          <a href="#/" aria-current={place === 'studio' ? undefined : 'page'}>
            {said.tickets}
          </a>
          <a href="#/studio" aria-current={place === 'studio' ? 'page' : undefined}>
            {said.studio}
          </a>
        </nav>
        <select
          aria-label={said.language}
          value={language}
          onChange={({ target }) => setLanguage(target.value as Language)}
        >
          {Object.entries(languages).map(([code, name]) => (
            <option key={code} value={code}>
              {name}
            </option>
          ))}
        </select>
      </header>
      <main id="main" ref={main} tabIndex={-1}>
        <h1>{title}</h1>
        <p className="lead">{said.lead}</p>
        {place === 'studio' ? (
          <Studio />
        ) : place === 'orders' ? (
          <OrderStatus orderNo={id} email={email} />
        ) : (
          <Storefront ticketGroupId={place === 'tickets' ? id : undefined} />
        )}
      </main>
    </LanguageContext>
  );
}

const root = document.getElementById('app');
if (root) {
  createRoot(root).render(
    <ApolloProvider client={client}>
      <App />
    </ApolloProvider>,
  );
}
