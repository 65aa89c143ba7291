# Dependencies are compiled before the sources are copied, with an empty program in
# their place, so that a change of the sources doesn't compile them again.
FROM rust:1-slim AS build
WORKDIR /src
COPY Cargo.toml Cargo.lock ./
RUN mkdir src && echo 'fn main() {}' > src/main.rs && cargo build --release --locked && rm -r src
COPY src ./src
# Cargo goes by times: the real file must be newer than the empty one.
RUN touch src/main.rs && cargo build --release --locked && find target/release -maxdepth 1 -type f -executable -exec cp {} /app \;

FROM debian:trixie-slim
RUN useradd --create-home app
COPY --from=build /app /usr/local/bin/app
USER app
CMD ["app"]
