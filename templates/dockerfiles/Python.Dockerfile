# A virtual environment is made in one image and copied to another, which has no compilers.
FROM python:3.13-slim AS build
ENV PIP_NO_CACHE_DIR=1
RUN python -m venv /venv
ENV PATH=/venv/bin:$PATH
WORKDIR /app
COPY requirements.txt .
RUN pip install --requirement requirements.txt

FROM python:3.13-slim
ENV PATH=/venv/bin:$PATH PYTHONUNBUFFERED=1
RUN useradd --create-home app
WORKDIR /app
COPY --from=build /venv /venv
COPY . .
USER app
EXPOSE 8000
CMD ["python", "-m", "app"]
