# The operator in one file, on an image without a shell or a package manager.
#   docker build --tag cloud-operator:v0.1.0 .

ARG BUILD_IMAGE=node:24-bookworm-slim
ARG RUNTIME_IMAGE=gcr.io/distroless/nodejs24-debian12:nonroot

FROM ${BUILD_IMAGE} AS build
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY tsconfig.json ./
COPY src ./src
COPY test/setup ./test/setup
RUN node test/setup/bundle.ts
# In a folder of the run-time user, who writes the compile cache into it below.
RUN mkdir /app && mv dist/cloud-operator.mjs /app/

# V8's compile cache is good only for the very node, path and user it was made with: so it is made here, where all three
# are those of the last stage.
FROM ${RUNTIME_IMAGE} AS cache
COPY --from=build --chown=65532:65532 /app /app
USER 65532:65532
ENV NODE_COMPILE_CACHE=/app/compile-cache
RUN ["/nodejs/bin/node", "/app/cloud-operator.mjs", "version"]

FROM ${RUNTIME_IMAGE}
COPY --from=build /app/cloud-operator.mjs /app/
# Of that user too: the files of the cache are for their owner alone.
COPY --from=cache --chown=65532:65532 /app/compile-cache /app/compile-cache
# As a number: Kubernetes can tell from it that the user is not root.
USER 65532:65532
ENV NODE_ENV=production NODE_COMPILE_CACHE=/app/compile-cache
ENTRYPOINT ["/nodejs/bin/node", "/app/cloud-operator.mjs"]
CMD ["run"]
