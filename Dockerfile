# syntax=docker/dockerfile:1
# Parlance in a container: API, page and worker are one image (PARLANCE_ROLE). docs/run/install.md says how it is run.

FROM debian:12-slim AS build
RUN apt-get update && apt-get install -y --no-install-recommends ca-certificates nodejs npm
WORKDIR /app
# What npm installs changes less often than the rest. The package `node` is the Node that everything runs on.
COPY package.json package-lock.json ./
COPY scripts ./scripts
RUN node scripts/setup.mjs --packages
COPY . .
RUN node_modules/.bin/node scripts/build.mjs
RUN npm prune --omit=dev --no-audit --no-fund --loglevel=error
RUN rm -rf .tmp

FROM debian:12-slim
# As scripts/tools.mjs has them; tests/page/containers.test.ts compares the two.
RUN apt-get update && apt-get install -y --no-install-recommends ca-certificates libatomic1 ffmpeg apertium apertium-eng-spa espeak-ng fonts-wqy-microhei && rm -rf /var/lib/apt/lists/*
RUN useradd --system --uid 10001 --home-dir /data --shell /usr/sbin/nologin parlance && install -d -o parlance -g parlance -m 0700 /data
WORKDIR /app
COPY --from=build /app ./
ENV NODE_ENV=production PARLANCE_DATA=/data HOST=0.0.0.0
# Nothing but these is written: the rest may be mounted read-only.
VOLUME ["/data", "/tmp"]
USER 10001
# The API and the page.
EXPOSE 3000 5173
# A worker has no API: it answers on METRICS_PORT.
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s CMD ["/app/node_modules/.bin/node", "-e", "fetch(`http://127.0.0.1:${process.env.METRICS_PORT || process.env.PORT || 3000}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# Not by way of npm, which would not pass SIGTERM on.
CMD ["/app/node_modules/.bin/node", "--disable-warning=ExperimentalWarning", "server/main.ts"]
