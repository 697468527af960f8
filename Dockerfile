# The dashboard in a container; docs/deploying.md says more.
#   docker build -t irviz .
#   docker run -p 127.0.0.1:8501:8501 -v irviz:/data --memory 8g --cpus 4 irviz
# The image is named by the digest of its index, for every processor: a tag can move. Another one, such as a newer one's
# digest, which `docker buildx imagetools inspect python:3.12-slim` prints:
#   docker build --build-arg IMAGE=python@sha256:DIGEST -t irviz .
ARG IMAGE=python:3.12.14-slim@sha256:e5c9fa26ffb76e11e0f054f30dc2523a2f9693f0c36c0cf1e39b27e152d899fc
FROM ${IMAGE}
WORKDIR /irviz
COPY constraints.txt ./
RUN python -m pip install --no-cache-dir --disable-pip-version-check --require-hashes -r constraints.txt
COPY . .
RUN useradd --uid 1000 --create-home irviz && mkdir /data && chown irviz /data
USER irviz
ENV IRVIZ_HOME=/data IRVIZ_LOAD_MB=2048 IRVIZ_REQUEST_SECONDS=60
VOLUME /data
EXPOSE 8501
HEALTHCHECK --start-period=60s CMD ["python", "-c", "import urllib.request as r; r.urlopen('http://127.0.0.1:8501/_stcore/health', timeout=9)"]
CMD ["python", "-m", "irviz", "app", "--port", "8501", "--address", "0.0.0.0"]
