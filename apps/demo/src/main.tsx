import { ApolloProvider } from '@apollo/client/react';
import { lazy, Suspense, useEffect } from 'react';
import { createRoot } from 'react-dom/client';

import './styles/main.css';
import { Account } from './account/account.tsx';
import { client } from './client.ts';
import { Header } from './header.tsx';
import { useFocus, useRoute } from './route.ts';
import { MyOrders } from './shop/my-orders.tsx';
import { GroupPage } from './shop/order-form.tsx';
import { OrderPage } from './shop/order-page.tsx';
import { Storefront } from './shop/storefront.tsx';
import { LanguageContext, tags, useChosenLanguage, wordsIn } from './words/language.ts';
import type { Words } from './words/en.ts';

// Read on in this order: client.ts, sockets.ts, sessions.ts, refusals.ts; shop/storefront, order-form, order-page; studio/studio, library, uploads.

/** Staff only: buyers don't load it. */
const Studio = lazy(() => import('./studio/studio.tsx'));

/** The heading of a page; a page without one has its own. */
function headingOf(place: string, id: string, words: Words): { title: string; lead?: string; heading?: string } {
  if (place === 'studio') return { title: words.studio, heading: words.studio, lead: words.studioLead };
  if (place === 'account') return { title: words.account, heading: words.account };
  if (place === 'orders') {
    return id ? { title: words.orderNo } : { title: words.orders, heading: words.orders, lead: words.ordersLead };
  }
  if (place === 'tickets') return { title: words.tickets };
  return { title: words.tickets, heading: words.headline, lead: words.lead };
}

function Page({ place, id, more }: { place: string; id: string; more: string }) {
  if (place === 'studio') return <Studio />;
  if (place === 'account') return <Account step={id} next={more} />;
  if (place === 'orders') return id ? <OrderPage key={id} orderNo={id} /> : <MyOrders />;
  if (place === 'tickets') return <GroupPage key={id} ticketGroupId={id} />;
  return <Storefront />;
}

function App() {
  const language = useChosenLanguage();
  const words = wordsIn(language);
  const [place = '', id = '', more = ''] = useRoute();
  const { title, heading, lead } = headingOf(place, id, words);
  useEffect(() => {
    document.documentElement.lang = tags[language];
    document.title = `${title} – Foyer`;
  }, [language, title]);
  const { main, skip } = useFocus(`${place}/${id}`);

  return (
    <LanguageContext value={language}>
      <a className="skip" href="#main" onClick={skip}>
        {words.skip}
      </a>
      <Header place={place} />
      <main id="main" ref={main} tabIndex={-1}>
        {heading && <h1>{heading}</h1>}
        {lead && <p className="lead">{lead}</p>}
        <Suspense fallback={<p role="status">{words.loading}</p>}>
          <Page place={place} id={id} more={more} />
        </Suspense>
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
