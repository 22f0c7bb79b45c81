# One image for every process of Foyer; docker-compose.yml gives each container its role.
FROM node:24-trixie-slim AS built
WORKDIR /foyer
ENV CI=true PNPM_HOME=/usr/local/bin
RUN npm install --global pnpm@12
COPY pnpm-lock.yaml pnpm-workspace.yaml package.json ./
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
RUN pnpm install --frozen-lockfile --ignore-scripts
COPY . .
# The sources need no build. This generates the Prisma client, the resolver types and the demonstration, and a bundle for a
# faster start.
RUN node tools/generate.ts && node tools/bundle.ts
RUN pnpm install --frozen-lockfile --ignore-scripts --prod

FROM node:24-trixie-slim
RUN apt-get update \
  && DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends ffmpeg libreoffice-impress-nogui tini \
  && rm -rf /var/lib/apt/lists/*
WORKDIR /foyer
COPY --from=built /foyer /foyer
RUN install --directory --owner node /var/lib/foyer
USER node
ENV NODE_ENV=production HOST=0.0.0.0 PORT=4000 MEDIA_DIR=/var/lib/foyer/media DATA_DIR=/var/lib/foyer \
  NODE_COMPILE_CACHE=/var/lib/foyer/compiled
EXPOSE 4000
# tini forwards SIGTERM, and reaps the orphans of ffmpeg and LibreOffice.
ENTRYPOINT ["tini", "--", "node"]
CMD ["server/src/single-process/main.ts"]
