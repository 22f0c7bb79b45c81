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

const waves = (from: number, width: number, color: string) =>
  Array.from(
    { length: 5 },
    (_wave, index) =>
      `<path d="M0 ${from + index * 62} q ${width / 8} ${-26 + index * 4} ${width / 4} 0 t ${width / 4} 0 t ${width / 4} 0 t ${width / 4} 0 V 900 H 0 Z" fill="${color}" opacity="${0.16 + index * 0.1}"/>`,
  ).join('');

const columns = (count: number) =>
  Array.from({ length: count }, (_column, index) => {
    const x = 300 + index * 200;
    return `<rect x="${x}" y="330" width="64" height="350" fill="#e8dcc3"/><rect x="${x - 14}" y="306" width="92" height="26" rx="4" fill="#f6edd9"/><rect x="${x - 14}" y="676" width="92" height="26" rx="4" fill="#f6edd9"/><rect x="${x + 44}" y="332" width="20" height="344" fill="#c9b78f" opacity=".5"/>`;
  }).join('');

/** A museum at night, in the light of a torch. */
export const museum = `<svg xmlns="http://www.w3.org/2000/svg" width="1600" height="900" viewBox="0 0 1600 900">
  <defs>
    <linearGradient id="night" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#0d1030"/><stop offset="1" stop-color="#34306b"/></linearGradient>
    <linearGradient id="beam" x1="0" y1="1" x2="1" y2="0"><stop offset="0" stop-color="#ffe6a3" stop-opacity=".75"/><stop offset="1" stop-color="#ffe6a3" stop-opacity="0"/></linearGradient>
  </defs>
  <rect width="1600" height="900" fill="url(#night)"/>${stars(70, 1600, 320)}
  <path d="M220 306 L800 110 L1380 306 Z" fill="#d9c9a3"/><path d="M330 290 L800 134 L1270 290 Z" fill="#b9a67c"/><circle cx="800" cy="226" r="38" fill="#f6edd9"/>
  <rect x="250" y="306" width="1100" height="396" fill="#574a6b"/>${columns(6)}
  <rect x="730" y="440" width="140" height="262" rx="70" fill="#191634"/>
  <rect x="200" y="702" width="1200" height="30" fill="#cbb98f"/><rect x="160" y="732" width="1280" height="34" fill="#b7a57b"/><rect x="110" y="766" width="1380" height="134" fill="#231f47"/>
  <path d="M250 900 L930 330 L1250 520 Z" fill="url(#beam)"/>
</svg>`;

/** A boat on a river while the sun goes down. */
export const river = `<svg xmlns="http://www.w3.org/2000/svg" width="1600" height="900" viewBox="0 0 1600 900">
  <defs>
    <linearGradient id="dusk" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#3b2a6b"/><stop offset=".55" stop-color="#e8665d"/><stop offset="1" stop-color="#ffc46b"/></linearGradient>
    <radialGradient id="sun"><stop offset="0" stop-color="#fff3cf"/><stop offset=".55" stop-color="#ffd98a"/><stop offset="1" stop-color="#ffd98a" stop-opacity="0"/></radialGradient>
  </defs>
  <rect width="1600" height="560" fill="url(#dusk)"/><circle cx="1090" cy="470" r="260" fill="url(#sun)"/>
  <path d="M0 560 V430 Q180 380 330 440 T640 470 L700 560 Z" fill="#3a2258"/><path d="M1600 560 V400 Q1450 380 1360 450 T1180 520 L1140 560 Z" fill="#4a2a60"/>
  <rect y="556" width="1600" height="344" fill="#6d3b6e"/>${waves(590, 1600, '#2a1a4d')}
  <path d="M960 566 h260 l-40 334 h-180 Z" fill="#ffd98a" opacity=".28"/>
  <path d="M360 640 H900 L830 730 H440 Z" fill="#fdf4e3"/><path d="M360 640 H900 L884 662 H378 Z" fill="#c8453f"/><rect x="470" y="560" width="300" height="80" rx="10" fill="#f3e2c4"/>
  <g fill="#5b3566">${Array.from({ length: 5 }, (_window, at) => `<rect x="${492 + at * 54}" y="580" width="34" height="36" rx="6"/>`).join('')}</g>
  <rect x="600" y="440" width="10" height="122" fill="#f3e2c4"/><path d="M610 446 L720 480 L610 514 Z" fill="#c8453f"/>
</svg>`;

/** A building with bunting, in the sun. */
export const fair = `<svg xmlns="http://www.w3.org/2000/svg" width="1600" height="900" viewBox="0 0 1600 900">
  <defs>
    <linearGradient id="day" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#bfe6ef"/><stop offset="1" stop-color="#f4f9ee"/></linearGradient>
    <linearGradient id="inside" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#fff4cc"/><stop offset="1" stop-color="#ffd579"/></linearGradient>
  </defs>
  <rect width="1600" height="900" fill="url(#day)"/><circle cx="1360" cy="170" r="90" fill="#ffd25e"/>
  <path d="M0 760 Q400 690 800 750 T1600 730 V900 H0 Z" fill="#7fb77e"/>
  <rect x="380" y="300" width="840" height="480" fill="#f7e9d7"/><path d="M330 310 L800 90 L1270 310 Z" fill="#c65d4b"/>
  <rect x="660" y="430" width="280" height="350" fill="url(#inside)"/><path d="M660 430 L560 470 V800 L660 780 Z" fill="#2f6f73"/><path d="M940 430 L1040 470 V800 L940 780 Z" fill="#2f6f73"/>
  <g fill="#8fc4cf" stroke="#fff" stroke-width="10"><rect x="440" y="400" width="100" height="130"/><rect x="1060" y="400" width="100" height="130"/></g>
  <path d="M660 900 L700 780 H900 L960 900 Z" fill="#e6d3b3"/>
  ${Array.from({ length: 16 }, (_flag, index) => {
    const x = 60 + index * 96;
    const y = 250 + Math.round(70 * Math.sin((index / 15) * Math.PI));
    const color = ['#e2574c', '#f2b134', '#3d9a8b', '#4a6fa5'][index % 4];
    return `<path d="M${x} ${y} h70 l-35 72 Z" fill="${color}"/>`;
  }).join('')}
</svg>`;
