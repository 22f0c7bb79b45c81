import { useCustomer, useStaffName } from './sessions.ts';
import { useStaffCheck } from './staff.ts';
import { chooseLanguage, languages, useLanguage, useWords, type Language } from './words/language.ts';

/** The header of every page: where to go, who is signed in, and the language. */
export function Header({ place }: { place: string }) {
  const words = useWords();
  const customer = useCustomer();
  const staff = useStaffName();
  useStaffCheck(place === 'studio');
  const links = [
    { to: '', places: ['', 'tickets'], text: words.tickets },
    { to: 'orders', places: ['orders'], text: words.orders },
    { to: 'account', places: ['account'], text: customer?.fullName ?? words.login },
    { to: 'studio', places: ['studio'], text: staff ? words.studio + words.colon + staff : words.studio },
  ];
  return (
    <header className="bar demo">
      <a className="brand" href="#/">
        Foyer
      </a>
      <nav aria-label="Foyer">
        {links.map(({ to, places, text }) => (
          <a key={to} href={`#/${to}`} data-text={text} {...(places.includes(place) && { 'aria-current': 'page' })}>
            {text}
          </a>
        ))}
      </nav>
      <LanguageMenu />
    </header>
  );
}

function LanguageMenu() {
  const words = useWords();
  const language = useLanguage();
  return (
    <select
      aria-label={words.language}
      value={language}
      onChange={({ target }) => chooseLanguage(target.value as Language)}
    >
      {Object.entries(languages).map(([code, name]) => (
        <option key={code} value={code}>
          {name}
        </option>
      ))}
    </select>
  );
}
