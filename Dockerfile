# Packages, with the tools to install them, stay in a stage of their own.
FROM node:20-bookworm-slim AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# npm sbom refuses a folder in which packages of developers are missing, and omits those that the service needs too: it
# gets a package.json without them, which the checkout's own replaces below.
RUN npm ci --omit=dev \
  && npm pkg delete devDependencies \
  && npm sbom --sbom-format=cyclonedx > sbom.cdx.json

FROM node:20-bookworm-slim
# Letters for the pictures of shared places.
RUN apt-get update && apt-get install -y --no-install-recommends fonts-dejavu-core && rm -rf /var/lib/apt/lists/*
WORKDIR /app
COPY --from=packages /app ./
COPY . .
# docker build --build-arg COMMIT=$(git rev-parse HEAD): .dockerignore leaves out the history.
ARG COMMIT=unknown
RUN echo "$COMMIT" > COMMIT
RUN mkdir -p /app/data /app/photos && chown -R node:node /app/data /app/photos
# The user "node" by its number, so that Kubernetes can see that it is not root. It owns nothing but data and photos.
USER 1000:1000
ENV HOST=0.0.0.0 DATA_DIR=/app/data
EXPOSE 3000
VOLUME /app/data
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 3000}/readyz`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# The program itself, with the Node of package.json: it hears the signal that stops the container.
CMD ["node_modules/.bin/node", "src/cli.ts", "start"]
