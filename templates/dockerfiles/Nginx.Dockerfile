# A site of static files, built by Node.js and served by nginx without root.
FROM node:22-slim AS build
WORKDIR /src
COPY package.json package-lock.json ./
RUN npm ci
COPY . .
RUN npm run build

FROM nginxinc/nginx-unprivileged:stable
COPY --from=build /src/dist /usr/share/nginx/html
EXPOSE 8080
