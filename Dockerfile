# The operator in one file beside the node that runs it.
#   docker build --tag cloud-operator:v0.1.0 .
# Any image with glibc and libstdc++ can be the last stage, one without a shell too: --build-arg RUNTIME_IMAGE=…

ARG BUILD_IMAGE=node:24-bookworm-slim
ARG RUNTIME_IMAGE=node:24-bookworm-slim

FROM ${BUILD_IMAGE} AS build
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY tsconfig.json ./
COPY src ./src
COPY test/setup ./test/setup
RUN node test/setup/bundle.ts
RUN mkdir /app && mv dist/cloud-operator.mjs /app/ && cp /usr/local/bin/node /app/

# V8's compile cache is good only for the very node, path and user it was made with: so it is made here, where all three
# are those of the last stage.
FROM ${RUNTIME_IMAGE} AS cache
COPY --from=build --chown=65532:65532 /app /app
USER 65532:65532
ENV NODE_COMPILE_CACHE=/app/compile-cache
RUN ["/app/node", "/app/cloud-operator.mjs", "version"]

FROM ${RUNTIME_IMAGE}
COPY --from=build /app /app
# Of that user too: the files of the cache are for their owner alone.
COPY --from=cache --chown=65532:65532 /app/compile-cache /app/compile-cache
# As a number: Kubernetes can tell from it that the user is not root.
USER 65532:65532
ENV NODE_ENV=production NODE_COMPILE_CACHE=/app/compile-cache
ENTRYPOINT ["/app/node", "/app/cloud-operator.mjs"]
CMD ["run"]
