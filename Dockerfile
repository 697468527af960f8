# The dashboard in a container; docs/deploying.md says more.
#   docker build -t irviz .
#   docker run -p 127.0.0.1:8501:8501 -v irviz:/data irviz
FROM python:3.12-slim
WORKDIR /irviz
COPY requirements.txt constraints.txt ./
RUN python -m pip install --no-cache-dir --disable-pip-version-check --constraint constraints.txt -r requirements.txt
COPY . .
RUN useradd --uid 1000 --create-home irviz && mkdir /data && chown irviz /data
USER irviz
ENV IRVIZ_HOME=/data IRVIZ_PUBLIC=1
VOLUME /data
EXPOSE 8501
CMD ["python", "-m", "irviz", "app", "--port", "8501", "--address", "0.0.0.0"]
