# The service without the embedded PostgreSQL: it needs VIGENCIA_DATABASE_URL. See docs/how-to/run-in-containers.md.
ARG NODE_IMAGE=node:24-slim

FROM ${NODE_IMAGE} AS packages
WORKDIR /app
COPY package.json package-lock.json ./
COPY sdk/package.json sdk/
# The optional packages are the embedded PostgreSQL and Node.
RUN npm ci --omit=dev --omit=optional --ignore-scripts --no-audit --no-fund

FROM ${NODE_IMAGE} AS pages
WORKDIR /app
COPY package.json package-lock.json ./
COPY sdk/package.json sdk/
COPY console/package.json console/
COPY site/package.json site/
COPY absent absent
# With the optional packages: the program that builds the pages is one.
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY sdk sdk
COPY console console
COPY site site
COPY docs docs
COPY examples examples
COPY generate generate
COPY src src
COPY texts texts
# The page on the shapes shows a test.
COPY test/http/money/prices.test.ts test/http/money/
COPY cli cli
COPY openapi.json LICENSE tsconfig.json ./
RUN npm run build -w console -w sdk -w site && npm run build:cli

FROM ${NODE_IMAGE}
WORKDIR /app
# A worker serves /healthz, /readyz and /metrics only when the port is set.
ENV VIGENCIA_HOST=0.0.0.0 \
    VIGENCIA_PORT=3000 \
    VIGENCIA_DATA_DIR=/data
COPY --from=packages /app/node_modules node_modules
COPY --from=pages /app/console/dist console/dist
COPY --from=pages /app/site/dist site/dist
COPY package.json ./
COPY bin bin
COPY openapi.json ./
COPY sdk sdk
COPY --from=pages /app/sdk/vigencia-client.tgz sdk/
COPY --from=pages /app/cli/vigencia-cli.tgz cli/
COPY sql sql
COPY src src
COPY texts texts
# The user `node` of the image. The number lets Kubernetes see that it is not root.
RUN install --directory --owner=1000 --group=1000 --mode=700 /data
USER 1000:1000
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s \
    CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.VIGENCIA_PORT}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["bin/vigencia"]
CMD ["start"]
