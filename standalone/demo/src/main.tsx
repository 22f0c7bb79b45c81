import { ApolloProvider } from '@apollo/client/react';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { createRoot } from 'react-dom/client';

import './demo.css';
import { client } from './client.ts';
import { OrderStatus } from './order-status.tsx';
import { Storefront } from './storefront.tsx';
import { Studio } from './studio.tsx';
import { LanguageContext, languages, tags, words, type Language } from './words.ts';

/** The address after `#`, in parts: `tickets/5`, `orders/<number>/<e-mail>`, `studio`. */
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

function App() {
  const [language, setLanguage] = useState<Language>('en');
  const [place = '', id = '', email = ''] = useRoute();
  const said = words[language];
  useEffect(() => {
    document.documentElement.lang = tags[language];
  }, [language]);

  return (
    <LanguageContext value={language}>
      <header className="bar demo">
        <a className="brand" href="#/">
          Foyer
        </a>
        <nav>
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
      <main>
        <h1>{place === 'studio' ? said.studio : said.tickets}</h1>
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
