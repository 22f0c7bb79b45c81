// Without text: a bare machine has no fonts.

const stars = (count: number, width: number, height: number) =>
  Array.from({ length: count }, (_star, index) => {
    const x = (index * 487) % width;
    const y = (index * 269) % height;
    return `<circle cx="${x}" cy="${y}" r="${1.5 + (index % 4)}" fill="#fff" opacity="${0.3 + (index % 5) / 8}"/>`;
  }).join('');

const towers = (count: number, width: number, ground: number) =>
  Array.from({ length: count }, (_tower, index) => {
    const x = (index * width) / count;
    const height = 160 + ((index * 131) % 320);
    const windows = Array.from({ length: 12 }, (_window, at) => {
      const lit = (index * 7 + at * 5) % 3 === 0;
      return `<rect x="${x + 14 + (at % 3) * 28}" y="${ground - height + 24 + Math.floor(at / 3) * 36}" width="14" height="20" fill="${lit ? '#ffd479' : '#24204a'}"/>`;
    }).join('');
    return `<rect x="${x}" y="${ground - height}" width="${width / count - 8}" height="${height}" fill="#17143a"/>${windows}`;
  }).join('');

/** A night over the city: the poster of the demo storefront. */
export const nightPoster = `<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="1600" viewBox="0 0 1200 1600">
  <defs>
    <linearGradient id="sky" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#0b0a2a"/><stop offset=".6" stop-color="#5b2a86"/><stop offset="1" stop-color="#f2709c"/></linearGradient>
    <radialGradient id="moon"><stop offset="0" stop-color="#fff7d6"/><stop offset=".7" stop-color="#ffe08a"/><stop offset="1" stop-color="#ffe08a" stop-opacity="0"/></radialGradient>
  </defs>
  <rect width="1200" height="1600" fill="url(#sky)"/>${stars(90, 1200, 900)}
  <circle cx="820" cy="420" r="210" fill="url(#moon)"/>${towers(12, 1200, 1400)}
  <path d="M0 1400 Q600 1300 1200 1400 V1600 H0 Z" fill="#0b0a2a"/>
  <path d="M180 1600 L560 1360 H640 L1020 1600 Z" fill="#f2709c" opacity=".35"/>
</svg>`;

/** A lounge with a lamp, a sofa and a window: the second picture of the demo storefront. */
export const lounge = `<svg xmlns="http://www.w3.org/2000/svg" width="1600" height="900" viewBox="0 0 1600 900">
  <defs>
    <linearGradient id="wall" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#12343b"/><stop offset="1" stop-color="#2d545e"/></linearGradient>
    <radialGradient id="light"><stop offset="0" stop-color="#ffe9b0" stop-opacity=".9"/><stop offset="1" stop-color="#ffe9b0" stop-opacity="0"/></radialGradient>
  </defs>
  <rect width="1600" height="700" fill="url(#wall)"/><rect y="700" width="1600" height="200" fill="#8a5a44"/>
  <rect x="880" y="110" width="560" height="340" rx="12" fill="#0b1d2a"/><g transform="translate(880 110)">${stars(40, 560, 340)}</g>
  <rect x="1156" y="110" width="8" height="340" fill="#e1b382"/><rect x="880" y="276" width="560" height="8" fill="#e1b382"/>
  <circle cx="330" cy="260" r="300" fill="url(#light)"/><path d="M250 260 L290 150 H370 L410 260 Z" fill="#e1b382"/><rect x="324" y="260" width="12" height="430" fill="#c89666"/>
  <rect x="470" y="470" width="760" height="190" rx="40" fill="#c89666"/><rect x="430" y="560" width="840" height="140" rx="40" fill="#e1b382"/>
  <rect x="500" y="520" width="340" height="110" rx="24" fill="#f0cfa6"/><rect x="860" y="520" width="340" height="110" rx="24" fill="#f0cfa6"/>
  <ellipse cx="850" cy="800" rx="520" ry="60" fill="#2d545e" opacity=".5"/>
</svg>`;
